// An experiment's settings, flat: dotted keys and their values, each with its place; and the problems found with them.
#pragma once

#include <cstddef>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

/// The problems found so far, each once, in the order found.
class Problems {
 public:
  void add(const InputProblem& problem);
  void add(const Place& place, const std::string& sentence) { add(InputProblem{place, sentence}); }
  void add(const InputError& error) { add_all(error.problems()); }
  void add_all(const std::vector<InputProblem>& problems) {
    for (const auto& problem : problems) add(problem);
  }
  /// Of a file that a key names: one problem for all that a key names, {host} by {host}, and none for a file of which it
  /// was said already.
  void add_missing(const Place& place, const std::string& file);
  /// Whether one that begins so is known already, which then counts as found once more.
  bool found_again(const std::string& beginning);
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const std::vector<InputProblem>& list() const { return list_; }
  /// How often one was found, known or not.
  [[nodiscard]] std::size_t found() const { return found_; }

 private:
  std::vector<InputProblem> list_;
  std::set<std::string> seen_, missing_;  ///< texts of problems; files
  struct MissingFiles {
    std::size_t position;  ///< in the list
    std::vector<std::string> files;
  };
  std::map<std::string, MissingFiles> missing_at_;  ///< by the place that names them
  std::size_t found_ = 0;
};

/// One value: a scalar, or a list of scalars.
struct Setting {
  std::vector<std::string> texts;
  bool is_list = false;
  bool quoted = false;  ///< a scalar in quotes: text, never a number or formula
  Place place;          ///< its key is the full dotted one
  std::vector<bool> quoted_items = {};  ///< of a list: which of its texts are in quotes, likewise
  bool broken = false;  ///< it could not be read, which has been reported: no value, but not missing either
};

/// Dotted key (such as owner.TH) -> value.
using Settings = std::map<std::string, Setting>;

/// The keys below a block, those that begin with its name and a dot.
std::ranges::subrange<Settings::const_iterator> settings_below(const Settings& settings, const std::string& block);

/// A flag `--set key=value`.
struct Override {
  std::string key;
  YamlNode value;
};
/// Parses "key=value", where blanks around the key do not count; the value is YAML (a scalar, or a flow list or map).
/// @throws InputError.
Override parse_override(const std::string& text);
/// The file name that places of overrides have.
inline constexpr const char* kOverridePlace = "--set";
/// Where a node was written: its line of the file, or a flag.
Place place_of(const YamlNode& node, const std::string& file, const std::string& key);

/// Sets the value under a dotted key in a document, where keys may contain dots themselves: the longest existing key
/// wins on each level, and under `sweep` and `let` the rest is one key.
void apply_override(YamlNode& document, const Override& override);

/// Flattens a document's maps into `out`. Lists that hold anything but scalars and missing values are broken settings,
/// and problems.
void flatten(const YamlNode& node, const std::string& file, const std::string& prefix, Settings& out,
             Problems& problems);

/// A setting that could not be read.
Setting broken_setting(const Place& place);

/// Whether a scalar is a formula: unquoted, beginning with '='.
bool is_formula(const Setting& setting);

}  // namespace nowsim
