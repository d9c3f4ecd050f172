// Each owner once, in all scenarios of a point.
#include "experiments/driver/studies/coarse_owners.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/owners/owner_models.hpp"

namespace nowsim {
namespace {

double computing_time_s(const Scenario& scenario) {
  const ProgramDescription& program = scenario.workload->program();
  double speeds = 0;
  for (std::size_t i = 0; i < scenario.size(); ++i) speeds += scenario.available_speed(i);
  return program.work_flop / speeds / static_cast<double>(std::max<std::int64_t>(1, program.phases));
}

PointScenarios coarse(PointScenarios all) {
  for (auto* scenario : {&all.scenario, &all.baseline, &all.step1})
    if (*scenario) *scenario = with_coarse_owners(*scenario);
  return all;
}

/// Whether anything changed.
bool coarsen(Point& point) {
  const auto before = point.scenario();
  if (const auto* ready = point.as<ReadyPoint>()) {
    point.state = ReadyPoint{coarse(ready->scenarios), ready->split_report, ready->solved};
  } else if (const auto* open = point.as<OpenSplit>()) {
    SplitTask task = *open->task;
    task.scenario = with_coarse_owners(task.scenario);
    point.state = OpenSplit{coarse(open->provisional), std::make_shared<const SplitTask>(std::move(task))};
  }
  return point.scenario() != before;
}

}  // namespace

std::shared_ptr<const Scenario> with_coarse_owners(const std::shared_ptr<const Scenario>& scenario) {
  const double time_s = computing_time_s(*scenario);
  std::map<OwnerPtr, OwnerPtr> made;  // machines that share one go on sharing
  Scenario out = *scenario;
  bool is_changed = false;
  for (auto& owner : out.owners) {
    const auto [known, is_new] = made.try_emplace(owner, nullptr);
    if (is_new) known->second = coarsened(*owner, time_s);
    if (!known->second) continue;
    owner = known->second;
    is_changed = true;
  }
  if (!is_changed || out.controls) return scenario;  // control variates are of the owner as it is
  return std::make_shared<const Scenario>(std::move(out));
}

Experiment with_coarse_owners(Experiment experiment) {
  bool is_changed = false;
  for (Point& point : experiment.points) is_changed = coarsen(point) || is_changed;
  if (is_changed)
    experiment.remarks.push_back(
        "owners' intervals are far shorter than the job: they are simulated in fewer, longer ones with the same mean and "
        "variance in the long run; T_99 is off by 0.1 % at most, to first order ('--exact' simulates them all)");
  return experiment;
}

}  // namespace nowsim
