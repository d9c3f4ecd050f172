// Theory's moments of each workstation's time, the machine views made of them, and choosing workstations.
#include "sim/splitting/machine_views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/roots_and_minima.hpp"

namespace nowsim {

std::optional<TimeMoments> theoretical_time(const Scenario& scenario, std::size_t i, double share_flop) {
  const Workstation& host = scenario.platform->workstations[i];
  if (const auto own = scenario.workload->program().own_time(rank_share(scenario, i, share_flop))) return own;
  const auto model = scenario.owners[i]->renewal();
  if (!model) return std::nullopt;
  return TimeMoments{renewal_mean_time(*model, share_flop, host.speed_flops),
                     std::sqrt(renewal_var_time(*model, share_flop, host.speed_flops))};
}

namespace {

using ExpectedByOwner = std::map<const Owner*, std::optional<double>>;

ExpectedByOwner expected_left_s(const Scenario& scenario, double seconds) {
  ExpectedByOwner left_s;
  for (const auto& owner : scenario.owners)
    if (const auto [known, is_new] = left_s.try_emplace(owner.get()); is_new)
      known->second = owner->expected_left_s(seconds);
  return left_s;
}

/// When all together are expected to have done the work [s]; infinite where that is beyond any time that matters.
double expected_end_s(const Scenario& scenario, const std::vector<MachineView>& machines) {
  const double work_flop = scenario.workload->program().work_flop;
  double most_flops = 0;
  for (const auto& machine : machines)
    if (machine.takes_part) most_flops += machine.speed_flops;
  const auto left_flop = [&](double seconds) {
    const ExpectedByOwner left_s = expected_left_s(scenario, seconds);
    double done_flop = 0;
    for (std::size_t i = 0; i < machines.size(); ++i)
      if (machines[i].takes_part)
        done_flop += machines[i].speed_flops *
                     left_s.at(scenario.owners[i].get()).value_or(machines[i].mean_availability * seconds);
    return work_flop - done_flop;
  };
  constexpr int kDoublings = 60, kBits = 30;
  double low_s = work_flop / most_flops, high_s = low_s;
  for (int k = 0; k < kDoublings && left_flop(high_s) > 0; ++k) low_s = std::exchange(high_s, 2 * high_s);
  return left_flop(high_s) > 0 ? kInfinity : falling_root(left_flop, low_s, high_s, kBits);
}

}  // namespace

void expect_during_run(const Scenario& scenario, std::vector<MachineView>& machines) {
  const auto goes_by_clock = [](const OwnerPtr& owner) { return owner->expected_left_s(1).has_value(); };
  if (!(scenario.workload->program().work_flop > 0) || std::ranges::none_of(scenario.owners, goes_by_clock)) return;
  const double end_s = expected_end_s(scenario, machines);
  if (!std::isfinite(end_s)) return;
  const ExpectedByOwner left_s = expected_left_s(scenario, end_s);
  for (std::size_t i = 0; i < machines.size(); ++i)
    if (const auto& left = left_s.at(scenario.owners[i].get()))
      machines[i].mean_availability = std::clamp(*left / end_s, 0.0, 1.0);
}

std::vector<MachineView> machine_views(const Scenario& scenario) {
  const std::size_t first = first_worker(scenario);
  const double equal_flop = scenario.workload->program().work_flop / static_cast<double>(scenario.size() - first);
  std::vector<MachineView> machines;
  machines.reserve(scenario.size());
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const Workstation& host = scenario.platform->workstations[i];
    const Owner& owner = *scenario.owners[i];
    const auto time = theoretical_time(scenario, i, equal_flop);
    machines.push_back({host.speed_flops, owner.mean(), owner.temporal_heterogeneity(),
                          time ? time->sd_s : std::numeric_limits<double>::quiet_NaN(),
                          host.extras->memory_bytes.value_or(0), i >= first});
  }
  expect_during_run(scenario, machines);
  return machines;
}

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
