// The blocks of an experiment that are read for each point: `run:` but for its seed, `job:`, `split:`, `solve:`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/point.hpp"
#include "experiments/driver/reading/reader.hpp"
#include "sim/base/keys.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/platform/platform.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/policies.hpp"
#include "sim/splitting/split_task.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

const KeyTable& run_keys();

/// The block, but for its seed: that alone often differs between points.
struct RunBlock {
  RunPlan plan;
  bool baseline_is_first;  ///< the speedup's baseline is the point with one workstation, not the fastest one alone
  std::string reference;   ///< the swept key along which points are compared with the first; "" for none
};
/// Notes problems, and gives a harmless block after them.
RunBlock read_run(Reading& reading, const Registry<Metric>& metrics);

/// The key that every job has; the chosen workload has its own.
KeyTable job_keys(const WorkloadRegistry& workloads);

/// The block's workload, for this platform. None after a problem.
IdentifiedWorkload read_workload(Reading& reading, const Platform& platform, const WorkloadRegistry& workloads);

/// Owners of a program that prescribes its times would be there for nothing, or slow it down once more. @throws
/// InfeasibleError where the workload refuses a share.
void check_own_times(Reading& reading, const Scenario& scenario);

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

const KeyTable& solve_keys();

/// The block of one point, for the key that is sought. Null after a problem.
std::shared_ptr<const SizeTask> read_size_task(Reading& reading, const std::string& sought,
                                               const Registry<Metric>& metrics);
/// A size written in the unit in which the value of a key such as solve.to stands; "" where that has none.
std::string in_unit_of(const Reading& reading, const std::string& key, double size);

}  // namespace nowsim
