// Platform, program, owners and split, each read once for all points that have the same.
#include "experiments/scenario_builder.hpp"

#include <utility>

#include "experiments/workload_config.hpp"

namespace nowsim {
namespace {

/// Work on a machine that its owner never leaves would never end.
void check_availability(Reading& reading, const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    if (scenario.share_flop[i] == 0 || scenario.available_speed(i) > 0) continue;
    Reader(reading, {"owner"}).problem("model", "workstation " + scenario.platform->workstations[i].name +
                                                    " gets work but has no availability: its owner never leaves it");
    return;
  }
}

/// After a problem the scenario stays as it is.
void reduce(Reading& reading, const RunPlan& plan, Scenario& scenario) {
  try {
    reduce_variance(scenario, *plan.variance_reduction);
  } catch (const InputError& e) {
    Reader(reading, {"run"}).problem("variance_reduction", e.what());
  }
}

}  // namespace

/// All but the shares. Nothing after a problem.
std::optional<ScenarioBuilder::Parts> ScenarioBuilder::read_parts(Reading& reading, Scenario& scenario) {
  const auto& platform =
      known_platforms_.get(reading, "", [&](Reading& own) { return read_platform(own, platforms_); });
  scenario.platform = platform.value;
  if (!scenario.platform) return std::nullopt;
  complete_.insert("platform");
  reading.variables["N"] = static_cast<double>(scenario.size());
  const std::string on = std::to_string(platform.number);
  const auto& made = known_workloads_.get(
      reading, on, [&](Reading& own) { return read_workload(own, *scenario.platform, workloads_); });
  scenario.workload = made.value.workload;
  scenario.workload_identity = made.value.identity;
  if (scenario.workload) complete_.insert("job");
  const auto& split = known_splits_.get(reading, on, [&](Reading& own) { return read_split(own); });
  complete_.insert("split");
  const auto& owners =
      known_owners_.get(reading, on, [&](Reading& own) { return read_owners(own, *scenario.platform, owners_); });
  scenario.owners = owners.value;
  complete_.insert("owner");
  scenario.bandwidth =
      known_bandwidths_.get(reading, on, [&](Reading& own) { return read_bandwidth(own, scenario.platform, owners_); })
          .value;
  complete_.insert("bandwidth");
  if (!scenario.workload) return std::nullopt;
  scenario.network = network_of(reading, scenario);
  shares_are_idle_ = shares_are_idle_.value_or(true) && !scenario.workload->uses_shares();
  std::string all = on;
  for (const auto part : {made.number, split.number, owners.number}) all += " " + std::to_string(part);
  return Parts{&split.value, all};
}

/// Looked for once per platform: SimGrid has to load it.
std::optional<UniformNetwork> ScenarioBuilder::network_of(Reading& reading, const Scenario& scenario) {
  if (scenario.size() < 2 || scenario.workload->overhead_model() == nullptr) return std::nullopt;
  const auto known = known_networks_.find(scenario.platform);
  if (known != known_networks_.end()) return known->second;
  auto& network = known_networks_[scenario.platform];
  try {
    network = uniform_network(*scenario.platform);
  } catch (const InputError& e) {
    Reader(reading, {"platform"}).problem("file", e.what());
  }
  return network;
}

ReadScenario ScenarioBuilder::read(Reading& reading, const RunPlan& plan) {
  Scenario scenario;
  scenario.seed = plan.seed;
  const auto parts = read_parts(reading, scenario);
  if (!parts) return {};
  const WorkSplit& shares = known_shares_.get(reading, parts->numbers, [&](Reading& own) {
    WorkSplit made_now = split_work(own, *parts->split, scenario);
    scenario.share_flop = made_now.share_flop;
    check_availability(own, scenario);
    check_own_times(own, scenario);
    return made_now;
  }).value;
  scenario.share_flop = shares.share_flop;
  ReadScenario read;
  if (shares.is_provisional) read.task = split_task(reading, *parts->split, shares, scenario, plan);
  reduce(reading, plan, scenario);
  read.scenario = std::make_shared<const Scenario>(std::move(scenario));
  return read;
}

}  // namespace nowsim
