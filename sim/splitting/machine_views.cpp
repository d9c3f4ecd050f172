// Theory's moments of each workstation's time, and the machine views made of them.
#include "sim/splitting/machine_views.hpp"

#include <cmath>
#include <limits>

#include "sim/statistics/closed_forms.hpp"

namespace nowsim {

std::optional<TimeMoments> theoretical_time(const Scenario& scenario, std::size_t i, double share_flop) {
  const Workstation& host = scenario.platform->workstations[i];
  if (const auto own = scenario.workload->program().own_time(rank_share(scenario, i, share_flop))) return own;
  const auto model = scenario.owners[i]->intervals();
  if (!model) return std::nullopt;
  return TimeMoments{renewal_mean_time(*model, share_flop, host.speed_flops),
                     std::sqrt(renewal_var_time(*model, share_flop, host.speed_flops))};
}

std::vector<MachineView> machine_views(const Scenario& scenario) {
  const std::size_t first = first_worker(scenario);
  const double equal_flop = scenario.workload->program().work_flop / static_cast<double>(scenario.size() - first);
  std::vector<MachineView> machines;
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const Workstation& host = scenario.platform->workstations[i];
    const OwnerModel& owner = *scenario.owners[i];
    const auto time = theoretical_time(scenario, i, equal_flop);
    machines.push_back({host.speed_flops, owner.mean(), owner.temporal_heterogeneity(),
                          time ? time->sd_s : std::numeric_limits<double>::quiet_NaN(),
                          host.extras->memory_bytes.value_or(0), i >= first});
  }
  return machines;
}

}  // namespace nowsim
