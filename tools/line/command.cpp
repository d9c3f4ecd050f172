// Carrying out, and help.
#include "tools/line/command.hpp"

#include <algorithm>
#include <iterator>
#include <ostream>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/keys.hpp"
#include "tools/line/common_flags.hpp"

namespace nowsim {

namespace {

/// The command itself, whatever parts it has.
int carry_out_alone(const Command& command, const std::vector<std::string>& words, Session& session) {
  const Arguments arguments = Arguments::read(words, flags_of(command), command.places, usage_of(command));
  if (arguments.has("help")) {
    print_help(command, session.out);
    return 0;
  }
  try {
    return command.run(arguments, session);
  } catch (const InputError& e) {
    throw said_of_flags(e, arguments);
  }
}

bool begins_with_flag(const std::vector<std::string>& words) {
  return !words.empty() && words.front().starts_with('-');
}

bool asks_for_help(const std::vector<std::string>& words) {
  return !words.empty() && (words.front() == "--help" || words.front() == "-h");
}

}  // namespace

std::string usage_of(const Command& command) {
  if (!command.usage.empty()) return command.usage;
  std::string text = "nowsim " + (command.of.empty() ? "" : command.of + " ") + command.name;
  const auto add = [&](const std::string& what, bool is_needed) { text += is_needed ? " " + what : " [" + what + "]"; };
  if (!command.parts.empty()) {
    std::string names;
    for (const Command& part : command.parts) names += (names.empty() ? "" : "|") + std::string(part.name);
    add(names + " ...", command.run == nullptr);
    return text;
  }
  for (const WordPlace& place : command.places) {
    std::string name = place.name;
    for (const Argument& kind : place.name.empty() ? place.kinds : std::vector<Argument>())
      name += (name.empty() ? "" : "|") + shown_name(kind);
    add(name + (place.most > 1 ? "..." : ""), place.least > 0);
  }
  const Flags flags = flags_of(command);
  for (const std::string& name : command.main) add(flags.named(name)->shown(), flags.named(name)->argument.is_needed);
  const std::size_t told = command.main.size() + 1;  // and --help
  if (static_cast<std::size_t>(std::distance(flags.begin(), flags.end())) > told) add("flags", false);
  return text;
}

Flags flags_of(const Command& command) {
  Flags flags;
  if (command.add_flags != nullptr) command.add_flags(flags);
  flags.add({{"help,h", kSwitch, "this text"}});
  return flags;
}

void print_help(const Command& command, std::ostream& out) {
  out << "usage: " << usage_of(command) << "\n\n";
  print_parts(command.parts, out);
  if (!command.parts.empty() && command.run != nullptr) out << '\n';
  if (command.run != nullptr) write_flags(flags_of(command), out);
  out << command.more;
  if (const std::string page = command.page; !page.empty() && page != command.name)
    out << "\n'nowsim help " << page << "' tells more\n";
  if (!command.parts.empty())
    out << "\n'nowsim " << command.name << ' ' << command.parts.front().name << " --help' lists the flags of a part\n";
}

bool asks_for_json(const Command& command, const std::vector<std::string>& words) {
  if (!words.empty())
    if (const auto part = std::ranges::find(command.parts, words.front(), &Command::name); part != command.parts.end())
      return asks_for_json(*part, {words.begin() + 1, words.end()});
  const Flags flags = flags_of(command);
  const Flag* const format = flags.named("format");
  for (auto word = words.begin(); format != nullptr && word != words.end(); ++word)
    if (flags.of_word(*word) == format)
      return own_value(*word).value_or(word + 1 == words.end() ? "" : *(word + 1)) == "json";
  return false;
}

int carry_out(const Command& command, const std::vector<std::string>& words, Session& session) {
  if (command.is_for_programs || (command.runs_program && !asks_for_help(words))) {
    Arguments unread;
    unread.words = words;
    return command.run(unread, session);
  }
  if (command.parts.empty()) return carry_out_alone(command, words, session);
  if (asks_for_help(words)) {
    print_help(command, session.out);
    return 0;
  }
  if (command.run != nullptr && (words.empty() || begins_with_flag(words)))
    return carry_out_alone(command, words, session);
  if (words.empty()) {
    print_help(command, session.error);
    return 2;
  }
  return carry_out(part_named(command, words), {words.begin() + 1, words.end()}, session);
}

void print_parts(const std::vector<Command>& parts, std::ostream& out) {
  DefinitionList lines;
  for (const Command& part : parts) {
    lines.add(part.name, part.summary);
    lines.add("", usage_of(part));
  }
  lines.write(out);
}

const Command& part_named(const Command& command, const std::vector<std::string>& words) {
  const auto part = std::ranges::find(command.parts, words.front(), &Command::name);
  if (part != command.parts.end()) return *part;
  const std::string meant = command.meant == nullptr ? "" : command.meant(words.front());
  throw UsageError(with_usage("'" + std::string(command.name) + " " + words.front() + "' is unknown" +
                                  (meant.empty() ? did_you_mean(words.front(), words_in(command.parts))
                                                 : "; did you mean '" + std::string(command.name) + " " + meant + "'?"),
                              usage_of(command)));
}

}  // namespace nowsim
