// What the commands that run into a store share: progress, interruption, and what they say at the end.
#pragma once

#include <functional>
#include <string>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"

namespace nowsim {

/// "1 batch", "2 batches".
std::string counted(std::uint64_t n, const std::string& what);

/// Does `work` and returns its exit status. @throws Stopped (parting.hpp) on Ctrl-C: the same command goes on.
int run_into_store(const std::string& folder, const std::function<int()>& work);

/// Says on the error stream what came of an experiment: "fig05: 45 points, 25 complete, ..." unless quiet, and which
/// points failed and why, the first of them if there are many. `folder` is where `nowsim show` finds them all.
void report_outcome(const SweepOutcome& outcome, const std::string& name, const std::string& folder, bool quiet);

/// Says where a user's version of a file has gone, if there was one.
void report_kept(const WrittenFile& file);

}  // namespace nowsim
