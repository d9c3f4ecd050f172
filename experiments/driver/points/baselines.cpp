// Making the scenarios that points are compared with.
#include "experiments/driver/points/baselines.hpp"

#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/equalize.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {
namespace {

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
