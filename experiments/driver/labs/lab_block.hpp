// A map of a lab's or a course's file, read by a table of its keys: every problem is noted, unknown keys at the end.
#pragma once

#include <string>

#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/reading/reader.hpp"

namespace nowsim {

/// What blocks are read from, and the problems in it.
struct LabFile {
  const std::string& file;
  Problems& problems;
};

/// What `read` makes of a node's MapBlock; a node that is no map is a problem. `keys` outlive it.
template <class Read>
auto read_block(const YamlNode& node, const std::string& name, const KeyTable& keys, const LabFile& in, const Read& read) {
  if (node.kind != YamlNode::Kind::map)
    in.problems.add({in.file, node.line, name}, "here stands a map: keys and what belongs to them");
  MapBlock block(node, in.file, name, keys);
  auto made = read(block);
  block.note_unknown("");
  for (const auto& problem : block.problems()) in.problems.add(problem);
  return made;
}

/// A key with maps or lists that have readers of their own.
Key lab_entries(const std::string& name, const std::string& help);
/// A text without the line's end that folded ones have.
std::string lab_text(MapBlock& block, const std::string& key);
/// The entries of a map of scalars, in their order (a list is a map of its words to ""); empty where it is not given.
NamedTexts named_texts(MapBlock& block, const std::string& key);

}  // namespace nowsim
