// What `nowsim sweep` and `nowsim reproduce` share: an experiment into a store with its CSV, and its files reported.
#pragma once

#include <string>
#include <vector>

#include "experiments/stored_sweep.hpp"
#include "experiments/written_files.hpp"

namespace nowsim {

/// Runs an experiment into a store with a progress line (unless quiet), and writes NAME.csv; adds it to `files`.
SweepOutcome sweep_and_write(ResultStore& store, const std::string& name, const Experiment& experiment, int jobs, bool quiet,
                             std::vector<WrittenFile>& files);

/// Says where a user's version of a file has gone.
void report_file(const WrittenFile& file);

}  // namespace nowsim
