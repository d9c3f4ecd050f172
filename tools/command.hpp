// What the commands of the command line share: how one is described, and how its flags are read.
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/running/summary.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/units.hpp"

namespace nowsim {

/// The words behind a command's name, and what experiments may name.
struct CommandInput {
  std::vector<std::string> words;
  const Registries& registries;
};

/// A command: a line of `nowsim help`.
struct Command {
  const char* name;
  const char* usage;
  const char* summary;
  int (*run)(const CommandInput&);
};

int run_command(const CommandInput&);
int check_command(const CommandInput&);
int compare_command(const CommandInput&);
int isoefficiency_command(const CommandInput&);
int list_command(const CommandInput&);
int plan_command(const CommandInput&);
int platform_command(const CommandInput&);
int reproduce_command(const CommandInput&);
int show_command(const CommandInput&);
int sweep_command(const CommandInput&);
int trace_command(const CommandInput&);
int verify_command(const CommandInput&);

/// Bad usage: a sentence; exit status 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A command's flags and the words that are none. @throws UsageError for what the description does not know.
struct ParsedFlags {
  boost::program_options::variables_map flags;
  std::vector<std::string> words;
};
ParsedFlags parse_flags(const std::vector<std::string>& words,
                        const boost::program_options::options_description& description, std::size_t least_words,
                        std::size_t most_words, const std::string& usage);

/// Prints a command's usage and flags; returns true when --help was asked for.
bool print_help(const ParsedFlags& parsed, const std::string& usage,
                const boost::program_options::options_description& description);

/// The flag --jobs; parse_jobs reads its value.
void add_jobs_flag(boost::program_options::options_description& description);
/// A number of processes. @throws UsageError.
int parse_jobs(const std::string& text);
/// table, csv or json. @throws UsageError.
Format parse_format(const std::string& text);

/// A flag's value as messages show it: cut short where it is long.
std::string shown_flag(const std::string& text);
/// A flag's number with its unit, in SI. @throws UsageError, naming the flag.
double quantity_flag(const std::string& flag, const std::string& text, Dimension dimension);
/// A flag's list, "a,b": at least one value, none twice. @throws UsageError, naming the flag.
std::vector<std::string> list_flag(const std::string& flag, const std::string& text);

/// Flags that change an experiment: --set, --replications, --precision, --precision-of, --engine,
/// --variance-reduction, --seed; as overrides.
void add_experiment_flags(boost::program_options::options_description& description);
LoadOptions load_options(const boost::program_options::variables_map& flags);

/// Says what an experiment's reading found worth a remark, on the error stream.
void print_remarks(const Experiment& experiment);

/// An experiment's file: as given, or one of the shipped ones by name (huang-lee-2007/fig05).
std::string find_experiment(const std::string& name);
/// The names of all shipped experiments, sorted: labs/network, ...
std::vector<std::string> shipped_experiments();
/// The folders in which they are looked for, in words: "A or B".
std::string places_of_experiments();

}  // namespace nowsim
