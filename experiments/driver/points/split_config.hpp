// Reading the `split:` block of an experiment, and splitting work as it says, or saying how the split is to be found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/reading/reader.hpp"
#include "sim/splitting/policies.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

struct RunPlan;

/// The key that every split has; the chosen policy has its own.
KeyTable split_keys(const Registry<Policy>& policies);

/// A scenario's shares; or, where they have to be found by simulation, those of step (1) for the time being.
struct WorkSplit {
  std::vector<double> share_flop;
  bool is_provisional = false;
  std::vector<MachineView> candidates;  ///< of provisional ones
};

/// The `split:` block. Problems are noted.
SplitChoice read_split(Reading& reading, const Registry<Policy>& policies);
/// Splits the scenario's work; simulates nothing. After a problem all shares are 0. A program that does not use shares
/// gets equal ones, whatever the policy is.
/// @throws InfeasibleError where the policy says so.
WorkSplit split_work(Reading& reading, const SplitChoice& choice, const Scenario& scenario);
/// How provisional shares are to be made final. The scenario is without variance reduction, with these shares.
std::shared_ptr<const SplitTask> split_task(Reading& reading, const SplitChoice& choice, const WorkSplit& provisional,
                                            const Scenario& scenario, const RunPlan& plan);

}  // namespace nowsim
