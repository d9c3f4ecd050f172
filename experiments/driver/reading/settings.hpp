// An experiment's settings, flat: dotted keys and their values, each with the place it was written in.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

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

/// Flattens a document's maps into `out`. Lists that hold anything but scalars and missing values are broken settings;
/// returns a sentence for each, with its place.
std::vector<std::string> flatten(const YamlNode& node, const std::string& file, const std::string& prefix, Settings& out);

/// A setting that could not be read.
Setting broken_setting(const Place& place);

/// Whether a scalar is a formula: unquoted, beginning with '='.
bool is_formula(const Setting& setting);

}  // namespace nowsim
