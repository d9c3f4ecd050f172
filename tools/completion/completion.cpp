// Which kind of word the cursor is at.
#include "tools/completion/completion.hpp"

#include "tools/completion/shell_line.hpp"
#include "tools/completion/word_completion.hpp"

namespace nowsim {
namespace {

/// Those that can be given still; of the two that every program has, the long ones.
Candidates flag_candidates(const ShellLine& line) {
  Candidates candidates;
  for (const Flag& flag : flags_of(*line.command)) {
    const std::string word = "--" + flag.name();
    const bool is_over = flag.argument.takes != Takes::texts && !line.values_of(flag.name()).empty();
    if (word.starts_with(line.last) && !is_over) candidates.push_back({word, flag.help});
  }
  return candidates;
}

Completion first_word(const std::string& begin, std::span<const Command> commands) {
  Candidates candidates = command_candidates(begin, commands);
  if (begin.starts_with('-'))
    for (const Candidate& flag : {Candidate{"--help", "the commands, and the pages of the manual"},
                                  Candidate{"--version", "this program, its engines, and how it was built"}})
      if (flag.word.starts_with(begin)) candidates.push_back(flag);
  return {candidates, {}};
}

/// Null where a command takes fewer words.
const WordPlace* place_of_word(std::size_t word, const Command& command) {
  for (const WordPlace& place : command.places)
    if (word < place.most)
      return &place;
    else
      word -= place.most;
  return nullptr;
}

Completion with_before(Completion completion, const std::string& before) {
  for (Candidate& candidate : completion.candidates) candidate.word = before + candidate.word;
  return completion;
}

}  // namespace

Completion complete(const std::vector<std::string>& typed, std::span<const Command> commands,
                    const Registries& registries) {
  const ShellLine line = shell_line(typed, commands);
  if (typed.size() < 2) return first_word(line.last, commands);
  if (line.command == nullptr) return {};
  if (!line.flag.empty()) {
    const Argument value = flags_of(*line.command).named(line.flag)->argument.value;
    return with_before(complete_argument({value}, line, commands, registries), line.before_last);
  }
  if (line.last.starts_with('-')) return {flag_candidates(line), {}};
  if (!line.command->parts.empty()) return {command_candidates(line.last, line.command->parts), {}};
  const WordPlace* const place = place_of_word(line.words.size(), *line.command);
  return place == nullptr ? Completion{} : complete_argument(place->kinds, line, commands, registries);
}

}  // namespace nowsim
