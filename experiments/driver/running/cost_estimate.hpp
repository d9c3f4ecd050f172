// A rough idea, beforehand, of how long replications take and what their record holds: what they do, times what it costs.
#pragma once

#include <cstdint>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/work_counts.hpp"

namespace nowsim {

/// What a point does with what it is compared with, at the most replications.
WorkCounts point_work(const Point& point, WorkCounter& counter);
/// What the search for a split is expected to do.
WorkCounts split_work(const SplitTask& task, WorkCounter& counter);
/// How many splits a search for the optimum is expected to try, those of the gap's samples too.
double expected_evaluations(const SplitTask& task);

// Seconds on one core by shipped_costs(), which every machine has alike: decisions rest on them.

/// How long a number of replications takes [s].
double estimated_cost_s(const Scenario& scenario, Engine engine, std::uint64_t replications);
/// The same of a point with what it is compared with and the most replications.
double estimated_cost_s(const Point& point);
/// The least that a point takes: of a stopping rule the fewest replications, of a split that is found by simulation the
/// search; of a size that is still to be found nothing.
double least_cost_s(const Point& point);
/// The experiment without the points that estimated_cost_s() has at more than this: they are unsolved, the reason says
/// how long they would take. Points whose size is still to be found stay as they are.
Experiment without_costly_points(Experiment experiment, double most_s);
/// Whether a series is quicker simulated again than kept and read: so that a store of such series does not grow by more
/// than 1 MB with each second on one core. Only of series without a rule that stops them, and that would take more than
/// 1 MB, of which nobody wants every replication's T.
bool is_quick(const Series& series);
/// How much memory the record of one replication takes (timeline.hpp) [bytes].
double recorded_bytes(const Scenario& scenario);

}  // namespace nowsim
