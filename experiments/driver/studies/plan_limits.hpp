// The most work that fits a plan's deadline at its risk, per policy.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/driver/studies/plan_results.hpp"

namespace nowsim {

/// Fills in most_work of every complete policy, each with its split in the proportions that it has for the request's
/// work. Nothing without deadline or risk. `on_run` is told what is being done.
/// @throws RunError where a simulation cannot be completed.
void find_work_limits(std::vector<PolicyPlan>& plans, const PlanRequest& request, const Registries& registries,
                      int jobs, const std::function<void(const std::string&)>& on_run);

/// The recommended policy's split with other owners.
struct IntervalTrial {
  double interval_s;
  PolicyPlan plan;
};
/// How much a plan hangs on how long owners' intervals last, of equal machines whose owners are described by flags and
/// not measured: with intervals that people have where the given ones are far shorter, else a quarter and four times as
/// long.
std::vector<IntervalTrial> try_intervals(const PolicyPlan& plan, const PlanRequest& request,
                                         const Registries& registries, int jobs,
                                         const std::function<void(const std::string&)>& on_run);
/// How long people are at a machine, or away from it: a guess, of the order of lessons and meetings, which no measurement
/// stands behind.
inline constexpr double kSessionOfPeople_s = 45 * 60;

/// Runs a single point with all its makespans gathered. @throws RunError.
PointOutcome run_point(const Point& point, int jobs);

}  // namespace nowsim
