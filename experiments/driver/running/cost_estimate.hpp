// A rough idea, beforehand, of how long replications take and what their record holds: from events, ranks and batches.
#pragma once

#include <cstdint>

#include "experiments/driver/points/execution_plan.hpp"

namespace nowsim {

/// How long a number of replications takes on one core [s].
double estimated_cost_s(const Scenario& scenario, Engine engine, std::uint64_t replications);
/// The same of a point with what it is compared with and the most replications.
double estimated_cost_s(const Point& point);
/// The least that a point takes: of a stopping rule the fewest replications, of a split that is found by simulation the
/// search's fewest trials; of a size that is still to be found nothing.
double least_cost_s(const Point& point);
/// The experiment without the points that estimated_cost_s() has at more than this: they are unsolved, the reason says
/// how long they would take. Points whose size is still to be found stay as they are.
Experiment without_costly_points(Experiment experiment, double most_s);
/// How much memory the record of one replication takes (timeline.hpp) [bytes].
double recorded_bytes(const Scenario& scenario);

}  // namespace nowsim
