// Finding a part by its name.
#include "tools/line/command_parts.hpp"

#include <algorithm>
#include <ostream>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/keys.hpp"

namespace nowsim {

void print_parts(std::span<const Command> parts, std::ostream& out) {
  DefinitionList lines;
  for (const Command& part : parts) {
    lines.add(part.name, part.summary);
    lines.add("", part.usage);
  }
  lines.write(out);
}

const Command& part_named(const Command& command, const std::vector<std::string>& words) {
  const std::string usage = std::string("; usage: ") + command.usage;
  const auto part = std::ranges::find(command.parts, words.front(), &Command::name);
  if (part != command.parts.end()) return *part;
  const std::string meant = command.meant == nullptr ? "" : command.meant(words.front());
  throw UsageError("'" + std::string(command.name) + " " + words.front() + "' is unknown" +
                   (meant.empty() ? did_you_mean(words.front(), words_in(command.parts))
                                  : "; did you mean '" + std::string(command.name) + " " + meant + "'?") +
                   usage);
}

}  // namespace nowsim
