// Counting what is open, and saying it; splits before sizes.
#include "experiments/driver/sweeps/prepare.hpp"

#include <algorithm>
#include <utility>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/sweeps/resolve_splits.hpp"
#include "experiments/driver/sweeps/size_search.hpp"
#include "experiments/driver/sweeps/solve_sizes.hpp"

namespace nowsim {
namespace {

constexpr const char* kFirst = " to be found first, by simulation";

/// Key and metric are the same for all points.
std::string sought_text(const SizeTask& first, bool is_same) {
  return first.key + " where " + (is_same ? first.goal_text() : first.metric->name + " has a given value");
}

}  // namespace

PendingSearches pending_searches(const Experiment& experiment) {
  PendingSearches open;
  open.splits = open_splits(experiment).size();
  open.sizes = experiment.open_sizes();
  const SizeTask* first = nullptr;
  bool is_same = true;
  for (const auto& point : experiment.points) {
    const auto* sought = point.as<OpenSize>();
    if (sought == nullptr) continue;
    if (first == nullptr) first = sought->task.get();
    is_same = is_same && sought->task->goal_text() == first->goal_text();
    open.trials = std::max(open.trials, most_trials(*sought->task));
  }
  if (first != nullptr) open.sought = sought_text(*first, is_same);
  return open;
}

std::string PendingSearches::splits_text() const { return splits > 0 ? std::to_string(splits) + kFirst : ""; }

std::string PendingSearches::sizes_text() const {
  if (sizes == 0) return "";
  return std::to_string(sizes) + kFirst + ", each by at most " + std::to_string(trials) + " trials: " + sought;
}

Experiment prepare(Experiment described, BatchStore* store, const RunContext& context) {
  Experiment experiment = resolve_splits(without_costly_points(std::move(described), context.most_s), store, context);
  experiment.remarks.clear();  // they are about the description
  return without_costly_points(solve_sizes(std::move(experiment), store, context), context.most_s);
}

}  // namespace nowsim
