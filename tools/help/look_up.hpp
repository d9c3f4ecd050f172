// What nowsim's tables know of a name: whatever lists, keys, values and flags it is in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/line/command.hpp"

namespace nowsim {

/// Lines for a terminal: parts of commands of that name, things with their keys (experiments without their folder too),
/// keys (TH, owner.TH, drawn), blocks, keys that it is a value of, and flags. "" where it is none of all that.
std::string look_up(const std::string& name, std::span<const Command> commands, const Registries& registries);
/// All names that it knows, those of flags and values apart.
std::vector<std::string> names_to_look_up(const Registries& registries);

/// A page of the manual that speaks of something.
struct Mention {
  std::string topic, title;
  std::size_t times = 0;
};
/// Those that have the word, whole and in any case, that with the most of it first.
std::vector<Mention> mentions_of(const std::string& word);

}  // namespace nowsim
