// Splits before sizes, and showing how far it is.
#include "tools/prepare.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/run_bounds.hpp"
#include "experiments/driver/sweeps/resolve_splits.hpp"
#include "experiments/driver/sweeps/solve_sizes.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "sim/base/infinity.hpp"
#include "tools/command.hpp"
#include "tools/progress_line.hpp"

namespace nowsim {
namespace {

Experiment with_found_sizes(Experiment experiment, BatchStore* store, const Preparation& how) {
  SizeOptions options{{how.jobs, nullptr, how.interrupted}};
  options.most_trial_s = std::min(options.most_trial_s, how.most_s);
  if (how.line != nullptr) options.on_progress = [&how](const SizeProgress& progress) { how.line->show(progress); };
  return solve_sizes(std::move(experiment), store, options);
}

Experiment with_found_splits(const Experiment& described, SplitMemory& memory, const Preparation& how) {
  ResolveOptions options{how.jobs, nullptr, how.interrupted};
  if (how.line != nullptr) options.on_progress = [&how](const SplitProgress& progress) { how.line->show(progress); };
  return resolve_splits(described, memory, options);
}

Experiment with_splits_of(const Experiment& described, BatchStore* store, const Preparation& how) {
  PassingSplits passing;
  if (store == nullptr) return with_found_splits(described, passing, how);
  StoredSplits stored(*store);
  return with_found_splits(described, stored, how);
}

/// How long what is not in the store yet will take, where that is long.
void tell_long_run(const Experiment& experiment, BatchStore* store, const Preparation& how) {
  const auto missing_s = [&] {
    return store == nullptr ? kInfinity : forecast_sweep(store, experiment).seconds(shipped_costs());
  };
  const std::string remark = long_run_remark(experiment, how.jobs, missing_s);
  if (remark.empty() || !how.tells_long_runs) return;
  if (how.line != nullptr) how.line->clear();
  spdlog::warn("{}", remark);
}

}  // namespace

Experiment ready_to_run(const Experiment& described, BatchStore* store, int jobs, bool quiet,
                        const std::function<bool()>& interrupted) {
  ProgressLine line;
  return ready_to_run(described, store, {jobs, quiet ? nullptr : &line, interrupted, kInfinity, !quiet});
}

Experiment ready_to_run(const Experiment& described, BatchStore* store, const Preparation& how) {
  Experiment experiment = without_costly_points(described, how.most_s);
  tell_long_run(experiment, store, how);
  experiment = with_splits_of(experiment, store, how);
  experiment.remarks.clear();  // they are about the description
  experiment = without_costly_points(with_found_sizes(std::move(experiment), store, how), how.most_s);
  if (how.line == nullptr) return experiment;
  how.line->clear();
  print_remarks(experiment);
  return experiment;
}

}  // namespace nowsim
