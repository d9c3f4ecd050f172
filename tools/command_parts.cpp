// Finding a part by its name.
#include "tools/command_parts.hpp"

#include <algorithm>
#include <ostream>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/keys.hpp"
#include "tools/command.hpp"

namespace nowsim {

void print_parts(std::span<const CommandPart> parts, std::ostream& out) {
  std::size_t widest = 0;
  for (const CommandPart& part : parts) widest = std::max(widest, shown_width(part.name));
  for (const CommandPart& part : parts)
    out << "  " << part.name << std::string(widest + 2 - shown_width(part.name), ' ') << part.summary << '\n'
        << std::string(widest + 4, ' ') << part.usage << '\n';
}

bool asks_for_help(const std::vector<std::string>& words) {
  return !words.empty() && (words.front() == "--help" || words.front() == "-h");
}

int call_part(const std::string& command, std::span<const CommandPart> parts, const std::vector<std::string>& words,
              const std::string& usage, const Registries& registries) {
  if (words.empty()) throw UsageError("too few words; usage: " + usage);
  const auto part = std::ranges::find(parts, words.front(), &CommandPart::name);
  if (part != parts.end()) return part->run({words.begin() + 1, words.end()}, registries);
  throw UsageError("'" + command + " " + words.front() + "' is unknown" + did_you_mean(words.front(), words_in(parts)) +
                   "; usage: " + usage);
}

}  // namespace nowsim
