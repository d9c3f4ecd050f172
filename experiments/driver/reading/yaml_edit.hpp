// Changing an experiment's document before it is read: keys of blocks, and axes of its sweep.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {

/// A plain value and a list of them, as a flag would give them: without a line.
YamlNode yaml_scalar(const std::string& text, bool is_quoted = false);
YamlNode yaml_list(const std::vector<std::string>& texts);

/// What stands at a dotted key, in nested maps or written with dots; null where nothing does.
const YamlNode* yaml_at(const YamlNode& map, const std::string& key);
/// Takes a dotted key out.
void yaml_erase(YamlNode& map, const std::string& key);

/// The values of a key's axis in a `sweep:` block, of zips too; null where it is not swept.
const YamlNode* swept_values(const YamlNode& sweep, const std::string& key);
YamlNode* swept_values(YamlNode& sweep, const std::string& key);
/// Takes a key out of a `sweep:` block.
void sweep_erase(YamlNode& sweep, const std::string& key);
/// Puts an axis before all others: the outermost.
void sweep_first(YamlNode& sweep, const std::string& key, YamlNode values);

}  // namespace nowsim
