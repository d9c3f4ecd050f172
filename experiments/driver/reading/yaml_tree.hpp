// A YAML file as a tree with the place of every node: strict where yaml-cpp is silent.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace nowsim {

/// A node of a YAML document; order of entries is the file's.
struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  YamlNode();  // elsewhere: clang wants the size of an entry for it, which has a node in it
  YamlNode(Kind of_kind, const std::string& written, bool is_quoted, int at_line);
  Kind kind = Kind::null;
  std::string text;     ///< scalar: as written, without quotes
  bool quoted = false;  ///< scalar: written in quotes (or as a block), so never a number
  int line = 0;         ///< 1-based; of its first character, or of the key or '-' where a null is not written
  std::vector<YamlNode> items;                            ///< sequence
  std::vector<std::pair<std::string, YamlNode>> entries;  ///< map; keys are unique

  [[nodiscard]] const YamlNode* find(const std::string& key) const;
  [[nodiscard]] YamlNode* find(const std::string& key);
};

/// Reads a file. @throws InputError where it is missing or unreadable; see parse_yaml.
YamlNode read_yaml(const std::string& file);
/// Parses one document; anchors and aliases are resolved (an alias copies the anchored node, its lines too).
/// @throws InputError naming file and line for: malformed YAML, more than one document, a key given twice (both lines
/// named), a key that is not a scalar, a key without ':', `<<`, tags other than the empty
/// ones, an undefined alias, an alias inside its own anchor, aliases that would unfold to more than 100,000 nodes,
/// unquoted numbers with leading zeros such as 010 or -007 (8 or 10?) and YAML 1.1's 0x, 0o, 0b and sexagesimal forms
/// where a plain scalar is wholly of that form (dates and times such as 12:30 count as sexagesimal; say "write it in
/// quotes or in decimal"; keys are text and not looked at), bytes that are not UTF-8, control characters (NUL too),
/// directives other than %YAML, and lists and maps nested more than 100 deep. A byte order mark, tabs that do not
/// indent, and CRLF are fine. No text at all is a null.
YamlNode parse_yaml(const std::string& text, const std::string& file);

}  // namespace nowsim
