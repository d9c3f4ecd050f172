// Committing at the end, and at an early one.
#include "experiments/driver/running/committed_run.hpp"

#include "experiments/driver/running/store.hpp"

namespace nowsim {

std::vector<PointOutcome> run_committed(const Experiment& experiment, const ExecutionPlan& execution, const RunOptions& options) {
  const auto commit = [&] {
    if (options.store) options.store->commit();
  };
  try {
    auto outcomes = execute(experiment, execution, options);
    commit();
    return outcomes;
  } catch (const Interrupted&) {
    commit();
    throw;
  }
}

}  // namespace nowsim
