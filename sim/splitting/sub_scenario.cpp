// Choosing workstations and owners.
#include "sim/splitting/sub_scenario.hpp"

#include <memory>

#include "sim/program/control_variates.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {

Scenario sub_scenario(const Scenario& scenario, const std::vector<std::size_t>& chosen, const Policy& policy) {
  Scenario sub = scenario;
  sub.platform = std::make_shared<const Platform>(scenario.platform->with(chosen));
  if (chosen.size() < 2) sub.network.reset();  // of some of its workstations a uniform network is as uniform
  sub.owners.clear();
  sub.bandwidth.clear();
  for (const std::size_t i : chosen) {
    sub.owners.push_back(scenario.owners[i]);
    if (!scenario.bandwidth.empty()) sub.bandwidth.push_back(scenario.bandwidth[i]);
  }
  sub.share_flop.assign(chosen.size(), 0.0);
  sub.share_flop = shares_by(policy, scenario.workload->program().work_flop, machine_views(sub), {});
  if (scenario.controls) sub.controls = std::make_shared<const ControlVariates>(sub);
  return sub;
}

bool are_alike(const Scenario& scenario, std::size_t a, std::size_t b) {
  const Workstation &x = scenario.platform->workstations[a], &y = scenario.platform->workstations[b];
  return x.speed_flops == y.speed_flops && x.cores == y.cores && !x.extras->state_profile && !y.extras->state_profile &&
         scenario.owners[a]->identity() == scenario.owners[b]->identity();
}

}  // namespace nowsim
