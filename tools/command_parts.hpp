// A command whose first word is a command of its own, such as `nowsim trace fit`: its parts, listed and called.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

struct CommandPart {
  const char* name;
  const char* usage;
  const char* summary;
  int (*run)(const std::vector<std::string>& words, const Registries&);  ///< returns the exit status
};

/// A line for each part and one for its usage.
void print_parts(std::span<const CommandPart> parts, std::ostream& out);
/// Whether the first word asks for help.
bool asks_for_help(const std::vector<std::string>& words);
/// Calls the part that the first of the words names, with the others. @throws UsageError where there is none.
int call_part(const std::string& command, std::span<const CommandPart> parts, const std::vector<std::string>& words,
              const std::string& usage, const Registries& registries);

}  // namespace nowsim
