// What is the same for all ranks, at all times.
#include "sim/engines/direct/supersteps_at_once.hpp"

#include <algorithm>

namespace nowsim {

bool can_go_at_once(const Scenario& scenario) {
  const auto feels_the_job = [](const OwnerPtr& owner) { return owner->jobs() != nullptr; };
  return scenario.network && scenario.bandwidth.empty() && !scenario.platform->has_state_profiles() &&
         !scenario.workload->program().ends_with_first_rank && std::ranges::none_of(scenario.owners, feels_the_job);
}

}  // namespace nowsim
