// What the commands of the command line share: how one is described, and how its flags are read.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/units.hpp"
#include "tools/line/argument.hpp"
#include "tools/line/flags.hpp"

namespace nowsim {

struct Experiment;
struct LoadOptions;
struct Registries;

/// A command, or a part of one, as its file describes it: help, manual page and completion are made from this.
struct Command {
  const char* name;
  const char* summary;  ///< a line of `nowsim help`
  const char* usage;
  Places places = {};  ///< of its words
  /// Null, as `run`, where the command does nothing without one of its parts.
  void (*add_flags)(Flags&) = nullptr;
  int (*run)(const ParsedFlags&, const Registries&) = nullptr;  ///< returns the exit status
  std::string more = {};                                        ///< below the flags in its help
  std::vector<Command> parts = {};  ///< commands of their own, named by the first word: `trace fit`
  const char* page = "";            ///< the topic of the manual that tells more, if any
  bool is_for_programs = false;     ///< not listed, and its words are handed on unread
  /// Of one that keeps nothing when it is stopped: the words of a command that would have, from these.
  std::vector<std::string> (*keeping)(const std::vector<std::string>& words) = nullptr;
  /// Of one with parts: what a first word that names none was meant to be; "" where nobody knows.
  std::string (*meant)(const std::string& word) = nullptr;
  bool runs_program = false;  ///< its words are handed on unread, but for --help in front of them
};
/// Its flags; --help is one of every command.
Flags flags_of(const Command& command);
/// Its usage, parts and flags, as --help shows them.
void print_help(const Command& command, std::ostream& out);
/// Whether the words ask the command, or the part that they name, for JSON, be they right otherwise or not.
bool asks_for_json(const Command& command, const std::vector<std::string>& words);
/// Reads the flags and runs the command or its part, or prints the help of it.
int carry_out(const Command& command, const std::vector<std::string>& words, const Registries& registries);

/// The flag --jobs; parse_jobs reads its value.
void add_jobs_flag(Flags& flags);
/// A number of processes. @throws UsageError.
int parse_jobs(const std::string& text);
/// table, csv or json. @throws UsageError.
Format parse_format(const std::string& text);

/// The flag --format; `of` begins its help.
void add_format_flag(Flags& flags, const std::string& of = "");
/// The flags --format and --quiet.
void add_output_flags(Flags& flags);
/// What --format, --quiet and, where a command has it, --jobs say. @throws UsageError.
struct OutputFlags {
  Format format = Format::table;
  bool quiet = false;
  int jobs = 1;
};
OutputFlags output_flags(const GivenFlags& flags);

/// A flag's text, or its default; nothing where there is neither.
std::optional<std::string> text_flag(const GivenFlags& flags, const char* name);

/// A flag's value as messages show it: cut short where it is long.
std::string shown_flag(const std::string& text);
/// A flag's number with its unit, in SI. @throws UsageError, naming the flag.
double quantity_flag(const std::string& flag, const std::string& text, Dimension dimension);
/// The same of a flag that may be missing, and is more than 0. @throws UsageError.
std::optional<double> positive_flag(const GivenFlags& flags, const char* name, Dimension dimension);
/// A flag's list, "a,b": at least one value, none twice; empty where it is not given. @throws UsageError, naming the
/// flag.
std::vector<std::string> list_flag(const GivenFlags& flags, const char* name);

/// Flags that change an experiment: --set, --replications, --precision, --precision-of, --decide, --decide-by,
/// --indifference, --engine, --variance-reduction, --seed; as overrides.
void add_experiment_flags(Flags& flags);
LoadOptions load_options(const GivenFlags& flags);

/// The flag --show-splits, and whether it is given.
void add_splits_flag(Flags& flags);
bool asks_for_splits(const GivenFlags& flags);

/// Says what an experiment's reading found worth a remark, on the error stream.
void print_remarks(const Experiment& experiment);

}  // namespace nowsim
