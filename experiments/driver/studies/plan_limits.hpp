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

/// Runs a single point with all its makespans gathered. @throws RunError.
PointOutcome run_point(const Point& point, int jobs);

}  // namespace nowsim
