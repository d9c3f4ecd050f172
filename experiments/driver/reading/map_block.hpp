// A map of a file that is a block of its own, such as a figure, one of its panels, a claim, or a range of a sweep.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/driver/reading/reader.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {

/// Whether a node is a map; else that is noted, with an example of one.
bool check_is_map(const YamlNode& node, const std::string& file, const std::string& name, const char* example,
                  std::vector<std::string>& problems);

/// Its entries as settings, read by a table; lists of maps are left to their own readers.
class MapBlock {
 public:
  /// @param node a map. @param name what the places of its keys begin with, such as "figure.panels"; "" of a whole file.
  /// @param keys outlive it, as the node does.
  MapBlock(const YamlNode& node, const std::string& file, const std::string& name, const KeyTable& keys);
  MapBlock(const MapBlock&) = delete;
  MapBlock& operator=(const MapBlock&) = delete;

  [[nodiscard]] Reader& read() { return read_; }
  [[nodiscard]] const YamlNode& node() const { return node_; }
  /// Whether there is such a key, whatever stands there.
  [[nodiscard]] bool has(const std::string& key) const { return values_.contains(key); }
  /// Where a key stands, its value's line; or else the block's.
  [[nodiscard]] Place place(const std::string& key) const;
  void problem(const std::string& key, const std::string& sentence) { problems_.add(place(key), sentence); }
  /// Notes keys that the table does not have; `beginning` stands before the one that is suggested.
  void note_unknown(const std::string& beginning);
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_.list(); }

 private:
  const YamlNode& node_;
  std::map<std::string_view, const YamlNode*> values_;  ///< of its keys, of which there may be very many
  const std::string& file_;
  std::string name_;
  const KeyTable& keys_;
  Settings settings_;
  Problems problems_;
  std::set<std::string> asked_;
  FormulaCache formulas_;
  Reading reading_;
  Reader read_;
};

/// A text that may be left out whatever the table says, and where it stands.
void read_placed(MapBlock& block, const std::string& key, std::string& text, Place& place);

}  // namespace nowsim
