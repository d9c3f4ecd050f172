// Splits before sizes.
#include "experiments/driver/sweeps/prepare.hpp"

#include <utility>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/sweeps/resolve_splits.hpp"
#include "experiments/driver/sweeps/solve_sizes.hpp"

namespace nowsim {
namespace {

Experiment with_splits(Experiment experiment, BatchStore* store, const RunContext& context) {
  PassingSplits passing;
  if (store == nullptr) return resolve_splits(std::move(experiment), passing, context);
  StoredSplits stored(*store);
  return resolve_splits(std::move(experiment), stored, context);
}

}  // namespace

Experiment prepare(Experiment described, BatchStore* store, const RunContext& context) {
  Experiment experiment = with_splits(without_costly_points(std::move(described), context.most_s), store, context);
  experiment.remarks.clear();  // they are about the description
  return without_costly_points(solve_sizes(std::move(experiment), store, context), context.most_s);
}

}  // namespace nowsim
