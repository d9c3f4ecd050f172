// What a command is, and how it is carried out.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tools/line/arguments.hpp"
#include "tools/line/session.hpp"

namespace nowsim {

/// A command, or a part of one, as its file describes it: help, manual page and completion are made from this.
struct Command {
  const char* name;
  const char* summary;     ///< a line of `nowsim help`
  std::string usage = {};  ///< "": what places and main flags come to
  Places places = {};      ///< of its words
  std::vector<std::string> main = {};  ///< flags that its usage tells
  /// Null, as `run`, where the command does nothing without one of its parts.
  void (*add_flags)(Flags&) = nullptr;
  int (*run)(const Arguments&, Session&) = nullptr;  ///< returns the exit status
  std::string more = {};                             ///< below the flags in its help
  std::vector<Command> parts = {};  ///< commands of their own, named by the first word: `trace fit`
  const char* page = "";            ///< the topic of the manual that tells more, if any
  bool is_for_programs = false;     ///< not listed, and its words are handed on unread
  /// Of one that keeps nothing when it is stopped: the words of a command that would have, from these.
  std::vector<std::string> (*keeping)(const std::vector<std::string>& words) = nullptr;
  /// Of one with parts: what a first word that names none was meant to be; "" where nobody knows.
  std::string (*meant)(const std::string& word) = nullptr;
  bool runs_program = false;  ///< its words are handed on unread, but for --help in front of them
  std::string of = {};        ///< the command that it is a part of
};
/// "nowsim sweep SPEC.yaml --out DIR [flags]".
std::string usage_of(const Command& command);
/// Its flags; --help is one of every command.
Flags flags_of(const Command& command);
/// Its usage, parts and flags, as --help shows them.
void print_help(const Command& command, std::ostream& out);
/// A line for each part and one for its usage.
void print_parts(const std::vector<Command>& parts, std::ostream& out);
/// The part that the first of the words names. @pre there is one. @throws UsageError where no part has its name.
const Command& part_named(const Command& command, const std::vector<std::string>& words);
/// Whether the words ask the command, or the part that they name, for JSON, be they right otherwise or not.
bool asks_for_json(const Command& command, const std::vector<std::string>& words);
/// Reads the words and runs the command or its part, or prints the help of it.
int carry_out(const Command& command, const std::vector<std::string>& words, Session& session);

}  // namespace nowsim
