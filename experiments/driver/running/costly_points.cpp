// Estimating every point.
#include "experiments/driver/running/costly_points.hpp"

#include <cmath>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/text/duration_text.hpp"

namespace nowsim {
namespace {

void leave_out(Point& point, double cost_s, double most_s) {
  point.infeasible = "not run: it would take about " + duration_text(cost_s) + " of one core on " +
                     engine_name(first_engine(point.plan.engine, *point.scenario)) + ", and the most allowed is " +
                     duration_text(most_s);
  point.is_unsolved = true;
  point.scenario = point.baseline = point.step1 = nullptr;
  point.split_task = nullptr;
}

}  // namespace

Experiment without_costly_points(Experiment experiment, double most_s) {
  if (std::isinf(most_s)) return experiment;  // estimates take time
  for (auto& point : experiment.points) {
    if (!point.scenario || point.size_task) continue;
    if (const double cost_s = estimated_cost_s(point); cost_s > most_s) leave_out(point, cost_s, most_s);
  }
  return experiment;
}

}  // namespace nowsim
