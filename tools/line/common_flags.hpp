// Flags that several commands have, and what they say.
#pragma once

#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/document.hpp"
#include "tools/line/command.hpp"

namespace nowsim {

/// The flag --jobs, and how many processes it says.
void add_jobs_flag(Flags& flags);
int jobs_of(const Arguments& arguments);

/// The flag --format, and which it says; its help tells how `of` written: "results are".
void add_format_flag(Flags& flags, const std::string& of = "results are");
Format format_of(const Arguments& arguments);

/// The flags --format and --quiet.
void add_output_flags(Flags& flags);
/// What --format, --quiet and, where a command has it, --jobs say.
struct OutputFlags {
  Format format = Format::table;
  bool quiet = false;
  int jobs = 1;
};
OutputFlags output_flags(const Arguments& arguments);

/// Flags that change an experiment: --set, --replications, --precision, --precision-of, --decide, --decide-by,
/// --indifference, --engine, --variance-reduction, --seed.
void add_experiment_flags(Flags& flags);
/// As overrides, those of all flags that have a key.
LoadOptions load_options(const Arguments& arguments);

/// The problems with those whose key a flag has set said of the flag.
InputError said_of_flags(const InputError& error, const Arguments& arguments);

/// The flag --show-splits, and whether it is given.
void add_splits_flag(Flags& flags);
bool asks_for_splits(const Arguments& arguments);

/// Says what an experiment's reading found worth a remark, on the error stream.
void print_remarks(const Experiment& experiment);

}  // namespace nowsim
