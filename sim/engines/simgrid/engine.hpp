// The SimGrid engine: ranks inside S4U actors, owners as profiles, on any platform with any contention.
#pragma once

#include <string>
#include <vector>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// Replications that SimGrid has computed: those of one engine are what SimGridModule::run returns, packed.
struct BatchPart {
  double typical_time_s = 0;  ///< of the makespans seen, for the clock's precision; 0: not known yet
  std::vector<RunResult> results;
  template <class All>
  void fields(All& all) {
    all(typical_time_s, results);
  }
  /// Those of such bytes, which follow these.
  void add(const std::string& bytes);
};

/// A batch computed in child processes, one after another. `typical_time_s`: the makespan to be expected, if anybody
/// knows it, for the precision of SimGrid's clock. @throws RunError for a deadlock or a program that throws, or where
/// SimGrid cannot be loaded; InputError for what SimGrid rejects.
std::vector<RunResult> run_batch_simgrid(const Scenario& scenario, const Batch& batch, double typical_time_s = 0);

}  // namespace nowsim
