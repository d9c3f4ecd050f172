// Running what an experiment needs: batches over child processes or out of a store, reduced in order, so that any
// number of jobs and any interruption give the same bytes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/point.hpp"
#include "experiments/driver/running/run_context.hpp"

namespace nowsim {

class BatchRunner;
class BatchStore;
struct StoredScenario;

/// What running a point gave.
struct PointOutcome {
  std::shared_ptr<const PointStatistics> statistics;  ///< null for an infeasible point
  std::optional<Sample> baseline_s;                   ///< T of the baseline
  std::shared_ptr<const PointStatistics> step1;       ///< of the split in proportion, where a metric compares with it
  std::shared_ptr<const PointStatistics> reference;   ///< of the point that it is compared with; null where that failed
  std::vector<std::shared_ptr<const PointStatistics>> rivals;  ///< of those that share its reference and did not fail
  std::string failure;                                ///< why the point could not be completed
  Engine engine = Engine::direct;                     ///< that ran
  std::optional<Decided> decided;  ///< where something is
  std::optional<std::size_t> series, baseline;        ///< of the execution plan, whose replications these are
  std::string version = nowsim::version();            ///< the program's that simulated it; several are joined by +
};

/// What a run may use besides, and whom it tells.
struct RunOptions : RunContext {
  BatchStore* store = nullptr;                           ///< where batches are taken from and kept; may be null
  const std::vector<StoredScenario>* stored = nullptr;  ///< with a store: what it has, per series
  /// With a store: whether it keeps series too that are quicker simulated again than read (is_quick()); else it keeps
  /// their moments alone.
  bool keeps_quick = true;
  BatchRunner* here = nullptr;  ///< simulates in this process, without time-outs, instead of child processes; may be null
  std::function<void(std::size_t, const PointOutcome&)> on_point = nullptr;  ///< when a point is complete
};

/// Runs all series of an execution plan and gives every point its outcome.
/// A point that fails costs only itself; its failure is that of its first batch that fails, whichever child ends first.
/// @throws Interrupted; what the store throws; InputError where the only point cannot be simulated as the input has it.
std::vector<PointOutcome> execute(const Experiment& experiment, const ExecutionPlan& execution, const RunOptions& options);

/// The same, with what it kept committed to the options' store, if there is one; also where it is interrupted.
std::vector<PointOutcome> run_committed(const Experiment& experiment, const ExecutionPlan& execution,
                                        const RunOptions& options);

/// The same without a store.
std::vector<PointOutcome> run_experiment(const Experiment& experiment, const RunContext& context = {});

}  // namespace nowsim
