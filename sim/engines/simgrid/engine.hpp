// The SimGrid engine: ranks inside S4U actors, owners as profiles, on any platform with any contention.
#pragma once

#include <string>
#include <vector>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// Where a batch stands between the child processes that compute it.
struct BatchProgress {
  std::uint64_t done = 0;          ///< replications computed so far
  double typical_time_s = 0;       ///< of the makespans seen, for the clock's precision; 0: not known yet
};

/// What SimGridModule::run returns, packed: replications that one engine has computed.
struct BatchPart {
  double typical_time_s = 0;  ///< as in BatchProgress
  std::vector<RunResult> results;
  template <class All>
  void fields(All& all) {
    all(typical_time_s, results);
  }
};

/// Adds such bytes to the results, and brings the progress up to date.
void unpack_results(const std::string& bytes, std::vector<RunResult>& results, BatchProgress& progress);

/// A batch computed in child processes, one after another. `typical_time_s`: the makespan to be expected, if anybody
/// knows it, for the precision of SimGrid's clock. @throws RunError for a deadlock or a program that throws, or where
/// SimGrid cannot be loaded; InputError for what SimGrid rejects.
std::vector<RunResult> run_batch_simgrid(const Scenario& scenario, const Batch& batch, double typical_time_s = 0);

}  // namespace nowsim
