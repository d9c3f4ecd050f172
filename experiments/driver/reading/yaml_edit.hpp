// Changing an experiment's document before it is read, and writing documents as YAML so that a file's comments stay.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// A text as it is where it begins with a letter and holds letters, digits, '_', '-' and the other ones that are given
/// alone; else in quotes: 53e38 would be a number.
std::string yaml_word(const std::string& text, std::string_view also = "");

/// Whether two documents say the same, wherever their nodes stand.
bool says_the_same(const YamlNode& a, const YamlNode& b);

/// Whether a text is read as this document; not where it is no YAML.
bool is_read_as(const std::string& text, const YamlNode& document, const std::string& file);

/// The document in block style, lists of plain values on one line, so that it is read as the same.
/// @throws InputError where it holds characters that YAML cannot.
std::string yaml_text(const YamlNode& document);

/// A text that is read as `wanted`: entries of maps that differ are written anew, new ones behind the others, and all
/// else stays byte by byte. Nothing where the text's lines do not show where its entries begin and end (as behind an
/// anchor), or cannot hold what is wanted.
std::optional<std::string> rewritten_yaml(const std::string& text, const YamlNode& wanted, const std::string& file);

}  // namespace nowsim
