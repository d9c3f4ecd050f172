// Finding a part by its name.
#include "tools/command_parts.hpp"

#include <algorithm>
#include <ostream>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/keys.hpp"

namespace nowsim {

void print_parts(std::span<const Command> parts, std::ostream& out) {
  std::size_t widest = 0;
  for (const Command& part : parts) widest = std::max(widest, shown_width(part.name));
  for (const Command& part : parts)
    out << "  " << part.name << std::string(widest + 2 - shown_width(part.name), ' ') << part.summary << '\n'
        << std::string(widest + 4, ' ') << part.usage << '\n';
}

const Command& part_named(const Command& command, const std::vector<std::string>& words) {
  const std::string usage = std::string("; usage: ") + command.usage;
  if (words.empty()) throw UsageError("too few words" + usage);
  const auto part = std::ranges::find(command.parts, words.front(), &Command::name);
  if (part != command.parts.end()) return *part;
  throw UsageError("'" + std::string(command.name) + " " + words.front() + "' is unknown" +
                   did_you_mean(words.front(), words_in(command.parts)) + usage);
}

}  // namespace nowsim
