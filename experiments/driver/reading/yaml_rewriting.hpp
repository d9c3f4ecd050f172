// Documents written as YAML, and a text changed entry by entry so that its comments stay.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {

/// Whether two documents say the same, wherever their nodes stand.
bool says_the_same(const YamlNode& a, const YamlNode& b);

/// The document in block style, lists of plain values on one line, so that it is read as the same.
/// @throws InputError where it holds characters that YAML cannot.
std::string yaml_text(const YamlNode& document);

/// A text that is read as `wanted`: entries of maps that differ are written anew, new ones behind the others, and all
/// else stays byte by byte. Nothing where the text's lines do not show where its entries begin and end (as behind an
/// anchor), or cannot hold what is wanted.
std::optional<std::string> rewritten_yaml(const std::string& text, const YamlNode& wanted, const std::string& file);

}  // namespace nowsim
