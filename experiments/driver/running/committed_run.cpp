// Committing at the end, and at an early one.
#include "experiments/driver/running/committed_run.hpp"

#include "experiments/driver/running/store.hpp"

namespace nowsim {

std::vector<PointOutcome> run_committed(const Experiment& experiment, const Study& study, const RunOptions& options) {
  const auto commit = [&] {
    if (options.store) options.store->commit();
  };
  try {
    auto outcomes = run_study(experiment, study, options);
    commit();
    return outcomes;
  } catch (const Interrupted&) {
    commit();
    throw;
  }
}

}  // namespace nowsim
