// As Arguments::read() reads a whole line, but of half a one.
#include "tools/completion/shell_line.hpp"

#include <algorithm>

namespace nowsim {
namespace {

const Command* named(std::span<const Command> commands, const std::string& name) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  return found == commands.end() || found->is_for_programs ? nullptr : &*found;
}

void read_flags(const std::vector<std::string>& words, ShellLine& line) {
  const Flags flags = flags_of(*line.command);
  for (std::size_t k = 0; k + 1 < words.size(); ++k) {
    const Flag* const flag = flags.of_word(words[k]);
    if (flag == nullptr) {
      if (!words[k].starts_with('-')) line.words.push_back(words[k]);
    } else if (const auto value = own_value(words[k]); !flag->takes_value() || value) {
      line.flags.emplace_back(flag->name(), flag->takes_value() ? *value : "");
    } else if (k + 2 < words.size()) {
      line.flags.emplace_back(flag->name(), words[++k]);
    } else {
      line.flag = flag->name();
    }
  }
  const Flag* const flag = flags.of_word(line.last);
  const auto value = own_value(line.last);
  if (line.flag.empty() && flag != nullptr && flag->takes_value() && value) {
    line.flag = flag->name();
    line.before_last = line.last.substr(0, line.last.size() - value->size());
    line.last = *value;
  }
}

}  // namespace

std::vector<std::string> ShellLine::values_of(const std::string& name) const {
  std::vector<std::string> values;
  for (const auto& [flag_name, value] : flags)
    if (flag_name == name) values.push_back(value);
  return values;
}

ShellLine shell_line(const std::vector<std::string>& typed, std::span<const Command> commands) {
  ShellLine line;
  line.last = typed.empty() ? "" : typed.back();
  if (typed.size() < 2) return line;
  line.command = named(commands, typed.front());
  std::size_t begin = 1;
  if (line.command != nullptr && !line.command->parts.empty() && typed.size() > 2)
    if (const Command* part = named(line.command->parts, typed[1])) {
      line.command = part;
      begin = 2;
    }
  if (line.command != nullptr) read_flags({typed.begin() + static_cast<std::ptrdiff_t>(begin), typed.end()}, line);
  return line;
}

}  // namespace nowsim
