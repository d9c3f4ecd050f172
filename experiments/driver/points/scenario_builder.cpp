#include "experiments/driver/points/scenario_builder.hpp"

#include <chrono>
#include <utility>

#include "experiments/driver/points/blocks.hpp"
#include "experiments/driver/reading/platform_config.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/equalize.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {
namespace {

/// Whether others may do what a machine without availability has been given: it is handed out to who asks, and by who
/// has time-outs again. Whether such a job ends, its run tells.
bool is_handed_out(const ProgramDescription& program) { return !program.uses_shares || program.ends_with_first_rank; }

/// Work on a machine that its owner never leaves would never end.
void check_availability(Reading& reading, const Scenario& scenario) {
  std::optional<std::size_t> idle;
  bool has_other = false;
  for (std::size_t i = scenario.size(); i-- > 0;) {
    if (scenario.share_flop[i] == 0) continue;
    if (scenario.available_speed(i) > 0)
      has_other = true;
    else
      idle = i;
  }
  if (!idle || (has_other && is_handed_out(scenario.workload->program()))) return;
  Reader(reading, {"owner"})
      .problem("model", "workstation " + scenario.platform->workstations[*idle].name +
                            " gets work but has no availability: its owner never leaves it");
}

/// After a problem the scenario stays as it is.
void reduce(Reading& reading, const RunPlan& plan, Scenario& scenario) {
  try {
    reduce_variance(scenario, *plan.variance_reduction);
  } catch (const InputError& e) {
    Reader(reading, {"run"}).problem("variance_reduction", e.what());
  }
}

/// What owners, shares and their candidates take per workstation [bytes], while a scenario is made.
constexpr double kBytesPerRank = 150;
/// Fewer workstations take no memory to speak of, and are made faster than memory is asked for.
constexpr std::size_t kManyRanks = 10'000;

void require_memory_for_ranks(const Platform& platform) {
  const std::size_t count = platform.workstations.size();
  if (count >= kManyRanks)
    require_memory(kBytesPerRank * static_cast<double>(count), "a point of " + std::to_string(count) + " workstations");
}

/// One of a platform's machines, which does not fail: a job that begins again with its only machine says nothing.
Platform machine_that_stays(const Platform& platform, std::size_t i) {
  Platform alone = platform.with({i});
  alone.workstations.front().extras.edit().state_profile = nullptr;
  return alone;
}

/// All that a program with ranks of its own computes, by one rank: it would not be that program on one machine, but as
/// many ranks there, which share its cores and send each other messages.
class AllByOneRank final : public Workload {
 public:
  explicit AllByOneRank(double work_flop) : Workload({.work_flop = work_flop}) {}
  Process run(Rank& self) const override { co_await self.compute(program().work_flop); }
};

/// Expected time of the whole work on workstation i alone [s]; and what decides where that is the same, as
/// without work: the higher speed, as the smaller value.
std::pair<double, double> rank_alone(const Scenario& scenario, double work_flop, std::size_t i) {
  const double speed = scenario.available_speed(i), computing_s = work_flop > 0 ? work_flop / speed : 0;
  return {computing_s + scenario.workload->program().paging_alone_s(scenario.platform->workstations[i]), -speed};
}

}  // namespace

/// How long a scenario may be in the making.
class ScenarioBuilder::Patience {
 public:
  explicit Patience(double timeout_s) : timeout_s_(timeout_s) {}
  /// Of a question to SimGrid.
  [[nodiscard]] double limit_s() const { return timeout_s_ > 0 ? timeout_s_ : kInfinity; }
  void check(const char* what) const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    if (timeout_s_ > 0 && passed.count() > timeout_s_)
      throw ReadingTooLong(std::string("making ") + what + " took longer than " + short_number(timeout_s_) +
                           " s (run.timeout)");
  }

 private:
  double timeout_s_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// All but the shares. Nothing after a problem.
std::optional<ScenarioBuilder::Parts> ScenarioBuilder::read_parts(Reading& reading, const Patience& patience,
                                                                  Scenario& scenario) {
  const auto& platform =
      known_platforms_.get(reading, "", [&](Reading& own) { return read_platform(own, platforms_); });
  scenario.platform = platform.value;
  if (!scenario.platform) return std::nullopt;
  complete_.insert("platform");
  patience.check("its platform");
  require_memory_for_ranks(*scenario.platform);
  reading.variables["N"] = static_cast<double>(scenario.size());
  reading.machines = scenario.platform.get();
  const std::string on = std::to_string(platform.number);
  const auto& made = known_workloads_.get(
      reading, on, [&](Reading& own) { return read_workload(own, *scenario.platform, known_.workloads); });
  scenario.workload = made.value.workload;
  scenario.workload_identity = made.value.identity;
  if (scenario.workload) complete_.insert("job");
  const auto& split = known_splits_.get(reading, on, [&](Reading& own) { return read_split(own, known_.policies); });
  complete_.insert("split");
  const Platform* whole = whole_platform(platforms_, *scenario.platform);
  const auto& owners = known_owners_.get(
      reading, on, [&](Reading& own) { return read_owners(own, *scenario.platform, owners_, whole); });
  complete_.insert("owner");
  patience.check("its owners");
  const auto& links = known_bandwidths_.get(reading, on, [&](Reading& own) {
    return read_bandwidth(own, scenario.platform, owners_, patience.limit_s(), whole);
  });
  complete_.insert("bandwidth");
  replay(owners.value, links.value, scenario);
  if (!scenario.workload) return std::nullopt;
  scenario.network = network_of(reading, scenario, patience.limit_s());
  shares_are_idle_ = shares_are_idle_.value_or(true) && !scenario.workload->program().uses_shares;
  std::string all = on;
  for (const auto part : {made.number, split.number, owners.number, links.number}) all += " " + std::to_string(part);
  return Parts{&split.value, all};
}

void ScenarioBuilder::replay(const std::vector<OwnerPtr>& owners, const std::vector<OwnerPtr>& links, Scenario& scenario) {
  const auto name = [&](std::size_t i) { return scenario.platform->workstations[i].name; };
  Replays replays = replayed_together(owners, links, name, owners_.shared);
  scenario.owners = std::move(replays.owners);
  scenario.bandwidth = std::move(replays.links);
  for (const auto& remark : replays.remarks) owners_.shared.note(NoteOn::replays, remark);
}

/// Looked for once per platform: SimGrid has to load it.
std::optional<UniformNetwork> ScenarioBuilder::network_of(Reading& reading, const Scenario& scenario,
                                                          double limit_s) {
  if (scenario.size() < 2 || scenario.workload->program().overhead_model == nullptr) return std::nullopt;
  const auto known = known_networks_.find(scenario.platform);
  if (known != known_networks_.end()) return known->second;
  auto& network = known_networks_[scenario.platform];
  try {
    network = uniform_network(*scenario.platform, limit_s);
  } catch (const InputError& e) {
    Reader(reading, {"platform"}).problem("file", e.what());
  }
  return network;
}

ReadScenario ScenarioBuilder::read(Reading& reading, const RunPlan& plan) {
  Scenario scenario;
  scenario.seed = plan.seed;
  const Patience patience(plan.timeout_s);
  const auto parts = read_parts(reading, patience, scenario);
  if (!parts) return {};
  const WorkSplit& shares = known_shares_.get(reading, parts->numbers, [&](Reading& own) {
    WorkSplit made_now = split_work(own, *parts->split, scenario);
    scenario.share_flop = made_now.share_flop;
    check_availability(own, scenario);
    check_own_times(own, scenario);
    return made_now;
  }).value;
  scenario.share_flop = shares.share_flop;
  patience.check("its split");
  ReadScenario read;
  if (shares.is_provisional) read.task = split_task(reading, *parts->split, shares, scenario, plan);
  reduce(reading, plan, scenario);
  read.scenario = std::make_shared<const Scenario>(std::move(scenario));
  return read;
}

std::shared_ptr<const Scenario> fastest_alone(const Scenario& scenario, AlonePlatforms& platforms) {
  const double work = scenario.workload->program().work_of(scenario.share_flop);
  std::size_t fastest = first_worker(scenario);
  for (std::size_t i = fastest + 1; i < scenario.size(); ++i)
    if (rank_alone(scenario, work, i) < rank_alone(scenario, work, fastest)) fastest = i;
  Scenario alone = scenario;
  auto& platform = platforms[{scenario.platform.get(), fastest}];
  if (!platform) platform = std::make_shared<const Platform>(machine_that_stays(*scenario.platform, fastest));
  alone.platform = platform;
  alone.network.reset();
  alone.owners = {scenario.owners[fastest]};
  if (!scenario.bandwidth.empty()) alone.bandwidth = {scenario.bandwidth[fastest]};
  alone.share_flop = {work};
  if (scenario.workload->program().placement) {
    alone.workload = std::make_shared<const AllByOneRank>(work);
    alone.workload_identity += " by one rank";
  }
  if (scenario.controls) alone.controls = std::make_shared<const ControlVariates>(alone);
  return std::make_shared<const Scenario>(std::move(alone));
}

std::shared_ptr<const Scenario> step1_of(const Scenario& scenario) {
  const double work = scenario.workload->program().work_flop;
  if (work == 0 || !scenario.workload->program().uses_shares) return nullptr;
  Scenario step1 = scenario;
  step1.share_flop = proportional_shares(work, machine_views(scenario));
  if (scenario.controls) step1.controls = std::make_shared<const ControlVariates>(step1);
  return std::make_shared<const Scenario>(std::move(step1));
}

}  // namespace nowsim
