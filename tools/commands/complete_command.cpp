// `nowsim complete WORD...`: asked by shells' completion scripts (tools/completion) for what can be typed next.
#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>

#include "experiments/driver/text/stream_manner.hpp"
#include "tools/completion/completion.hpp"
#include "tools/line/command_table.hpp"

namespace nowsim {
namespace {

std::string in_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return text;
}

/// What an answer's lines cannot hold: files may name anything.
bool has_control_character(const std::string& word) {
  return std::ranges::any_of(word, [](unsigned char c) { return std::iscntrl(c) != 0; });
}

/// The first line says what is to be looked for besides: `files`, `files .yaml .csv`, `folders`, or `-` for nothing;
/// behind it ` goes-on` where no blank follows any of the words. Then a word a line, a tab, and what is said of it.
int do_complete(const Arguments& arguments, Session& session) {
  const Completion completion = complete(arguments.words, commands(), session.known);
  const auto& files = completion.files;
  const ForPrograms for_programs(session.out);
  session.out << (!files ? "-" : files->folders_alone ? "folders" : "files") << (completion.goes_on ? " goes-on" : "");
  if (files && !files->folders_alone)
    for (const std::string& ending : files->endings) session.out << ' ' << ending;
  session.out << '\n';
  for (const Candidate& candidate : completion.candidates)
    if (!has_control_character(candidate.word))
      session.out << candidate.word << '\t' << in_one_line(candidate.about) << '\n';
  return 0;
}

}  // namespace

Command complete_command() {
  return {.name = "complete",
          .summary = "what can be typed next",
          .run = do_complete,
          .is_for_programs = true};
}

}  // namespace nowsim
