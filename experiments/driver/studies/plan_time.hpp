// How long it takes to find a plan, told beforehand, and how many replications there is time for.
#pragma once

#include <cstdint>

#include "experiments/driver/studies/plan_request.hpp"

namespace nowsim {

/// By rough estimates (cost_estimate.hpp), in wall-clock time of so many processes.
struct PlanTime {
  double whole_s = 0;    ///< the policies' runs, searches for splits, and for the most work
  double limits_s = 0;   ///< of that the last
  double job_s = 0;      ///< how long the job itself is expected to take, by the policy that is fastest
  std::uint64_t replications = 0;
};
/// @param request for its deadline and risk: the most work is looked for where it has both.
PlanTime plan_time(const Experiment& experiment, const PlanRequest& request, int jobs);

/// Fewer than these tell too little of a deadline.
inline constexpr std::uint64_t kFewestForPlan = 100;

/// How many replications there is time for: those that there are, or fewer, in whole tens, for half of it.
/// @param most_s how long it may take. @throws InputError where that is fewer than kFewestForPlan, saying how long the
/// plan would take, and the job.
std::uint64_t replications_in_time(const PlanTime& time, double most_s);

}  // namespace nowsim
