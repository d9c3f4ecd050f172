// Typed reading of settings: units, bounds, formulas and defaults, gathering every problem instead of stopping at one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/keys.hpp"

namespace nowsim {

struct Platform;

/// Formulas compiled once for all points.
class FormulaCache {
 public:
  /// @throws InputError for a syntax error.
  const Formula& get(const std::string& text);

 private:
  std::map<std::string, Formula> formulas_;
};

/// What the readers of one point share.
struct Reading {
  const Settings& settings;
  Problems& problems;
  std::set<std::string>& asked;            ///< every key that has been asked for, at any point: the known ones
  FormulaCache& formulas;
  std::map<std::string, double> variables; ///< what formulas may use besides keys, such as N
  std::optional<Place> block = {};         ///< where it begins, if the settings are one map that stands alone
  const NamedFiles* files = nullptr;       ///< where they may be; null: anywhere
  const Platform* machines = nullptr;      ///< once they are known: what work told as machine time is of
};

/// Of a number of one dimension.
Dimension dimension_of(KeyType type);
/// What counts without a key, in SI; none where it must be given, or nothing counts.
std::optional<double> fallback_of(const Key& key);

/// Reads keys below one or more scopes ("owner.hosts.ws1", then "owner"): the first scope that has a key wins. A
/// problem is noted, and a harmless value returned so that reading can go on.
class Reader : public KeyReader {
 public:
  /// `keys`, which outlive the reader, say what value(), whole(), word(), flag(), values() and text() are to find.
  Reader(Reading& reading, std::vector<std::string> scopes, std::span<const Key> keys = {})
      : reading_(reading), scopes_(std::move(scopes)), keys_(keys) {}
  /// The same place, read by another table.
  [[nodiscard]] Reader with(std::span<const Key> keys) const { return {reading_, scopes_, keys}; }

  [[nodiscard]] const Key& row(const std::string& name) const override;
  [[nodiscard]] std::optional<double> usual(const Key& key) const override { return fallback_of(key); }
  [[nodiscard]] bool has(const std::string& name) override { return find(name) != nullptr; }
  double number_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) override;
  std::int64_t whole_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) override;
  std::size_t word_at(const Key& key) override { return known_word(key).value_or(usual_word(key).value_or(0)); }
  /// Nothing after a problem.
  std::optional<std::size_t> known_word(const std::string& name) { return known_word(row(name)); }
  std::optional<std::size_t> known_word(const Key& key);
  /// Of a key with the words true and false.
  bool flag(const std::string& name) { return row(name).words[word(name)] == "true"; }
  std::vector<double> values(const std::string& name) override;
  /// Without a row in the table it must be given.
  std::string text(const std::string& name) override;
  /// Null after a problem.
  WrittenFormula formula_at(const Key& key) override;

  /// Whether anything is said of a block: keys below it, or itself as one value.
  [[nodiscard]] bool has_block(const std::string& name) const;
  /// A quantity in SI; without a fallback it must be given.
  double quantity(const std::string& name, Dimension dimension, const Bounds& bounds = Bounds{},
                  std::optional<double> fallback = {});
  std::string text(const std::string& name, const std::optional<std::string>& fallback);
  std::vector<std::string> texts(const std::string& name) override;
  /// A name; of a formula its value, a whole number, written out. Empty after a problem.
  std::string name_or_number(const std::string& name);
  /// A file's or folder's path; relative ones are taken from the YAML's folder, or from here if a flag gave it. Empty
  /// after a problem.
  std::string path(const std::string& name) override;
  /// It has to be in one of the folders of NamedFiles::within, if there are any.
  std::string checked_file(const std::string& name, const std::string& file) override;
  struct PlatformFile {
    std::string file;
    std::string remark;  ///< where it is not the one that was named, but its namesake that comes with nowsim
  };
  /// As path(), but for NamedFiles::shipped_platform() and misspelt_platform().
  PlatformFile platform_file(const std::string& name);

  std::vector<double> numbers_of_file(const std::string& name) override;

  /// Whether its value depends on a variable that readers give, such as `i`: it, or a formula that it uses, names it, and
  /// no key does.
  bool depends_on(const std::string& name, const std::string& variable);

  /// The keys below a block of the first scope, without the block's name: b.c and d of {b: {c: 1}, d: 2}.
  [[nodiscard]] std::vector<std::string> names_below(const std::string& block) const;
  /// Where a key stands, or would stand.
  [[nodiscard]] Place place(const std::string& name) override;
  /// Counts all keys of the scopes, or of a block in them, as known: after a problem nothing can be said of them.
  void excuse_all();
  void excuse(const std::string& block);
  /// Notes a problem with a key.
  void problem(const std::string& name, const std::string& sentence) override;
  /// "; TH is '= 2 * x' with x = 0.3", for the end of a sentence about its value; "" where that was written as it is.
  [[nodiscard]] std::string written(const std::string& name);
  [[nodiscard]] Reading& reading() { return reading_; }

 private:
  std::string named_file(const std::string& name);
  const Setting* find(const std::string& name);
  const Setting* find_scalar(const std::string& name, bool required, const std::string& hint = "");
  const Setting* find_list(const std::string& name);
  std::optional<Place> find_below(const std::string& name);
  std::optional<Place> find_in_block(const std::string& block);
  template <class Parse>
  double parsed_quantity(const std::string& name, const Parse& parse, const Bounds& bounds, std::optional<double> fallback);
  std::string told(const Setting& setting, double value);
  double bounded(const Setting& setting, double value, const Bounds& bounds);

  Reading& reading_;
  std::vector<std::string> scopes_;
  std::span<const Key> keys_;
};

/// Notes an error about a file that a key names: where the file itself tells no line, with the key's place before it.
void note_problem_of_file(Reader& read, const std::string& name, const InputError& error);

/// A map of a file that is a block of its own, such as a figure, one of its panels, or a claim: its entries as settings,
/// read by a table; lists of maps are left to their own readers.
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
  [[nodiscard]] const std::vector<InputProblem>& problems() const { return problems_.list(); }

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

}  // namespace nowsim
