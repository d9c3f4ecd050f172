// A map of a lab's description: its keys read by type, every problem noted, unknown ones found at the end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {

class LabBlock {
 public:
  /// `node`, `file` and `problems` outlive it; a node that is no map is a problem.
  LabBlock(const YamlNode& node, const std::string& file, std::string name, Problems& problems);
  /// The map at a key of another one, which outlives it; where nothing stands there that is a problem.
  LabBlock(LabBlock& block, const std::string& key);
  /// Notes keys that nobody asked for.
  ~LabBlock();
  LabBlock(const LabBlock&) = delete;
  LabBlock& operator=(const LabBlock&) = delete;

  [[nodiscard]] bool has(const std::string& key) const { return node_.find(key) != nullptr; }
  /// A scalar's text; without a fallback it must be given. "" after a problem.
  std::string text(const std::string& key, const std::optional<std::string>& fallback = {});
  /// A number or share, at least `least`.
  double number(const std::string& key, std::optional<double> fallback = {}, double least = 0);
  std::uint64_t count(const std::string& key, std::optional<std::uint64_t> fallback = {});
  bool flag(const std::string& key);
  /// One of these words: its place; 0 after a problem.
  std::size_t word(const std::string& key, const std::vector<std::string>& words, std::optional<std::size_t> fallback = {});
  /// A list of scalars, or one alone; empty where it is not given.
  std::vector<std::string> texts(const std::string& key);
  /// The entries of a map of scalars, in their order (a list is a map of its words to ""); empty where it is not given.
  NamedTexts named_texts(const std::string& key);
  /// Reads each entry of a map by its own block.
  void each(const std::string& key, const std::function<void(const std::string& name, const YamlNode& node)>& read);
  /// The node of a key, counted as known; null where it is not given.
  const YamlNode* take(const std::string& key);

  [[nodiscard]] Place place(const std::string& key) const;
  void problem(const std::string& key, const std::string& sentence) { problems_.add(place(key), sentence); }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Problems& problems() { return problems_; }

 private:
  /// Of a key that is there, counted as known.
  std::size_t position(const std::string& key);
  const YamlNode* needed(const std::string& key, bool is_needed);

  const YamlNode& node_;
  const std::string& file_;
  std::string name_;
  Problems& problems_;
  std::vector<std::string> asked_;
};

/// The values of a number: a list, or {from, to, step}, both ends. Problems are noted.
std::vector<double> drawn_values(const YamlNode& node, const Place& place, Problems& problems);

}  // namespace nowsim
