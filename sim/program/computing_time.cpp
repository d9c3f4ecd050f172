// One path after another, step by step.
#include "sim/program/computing_time.hpp"

#include <functional>
#include <queue>
#include <utility>

#include "sim/owners/path.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

/// Ends, since no step's value is 0 (kLeastAvailability).
double time_s(Path& path, double work_s) {
  for (double t = 0;;) {
    const Step step = path.next();
    const double done_s = step.value * step.duration_s;
    if (done_s >= work_s) return t + work_s / step.value;
    work_s -= done_s;
    t += step.duration_s;
  }
}

/// When machines have done the work together as their owners leave them, from step to step of any.
double time_together_s(const Scenario& scenario, std::uint64_t replication) {
  struct Machine {
    double speed_flops;
    PathCursor owner;
    double rate_flops = 0;
  };
  using End = std::pair<double, std::size_t>;
  std::vector<Machine> machines;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  double rate_flops = 0;  // of all
  const auto take_step = [&](std::size_t k) {
    auto& [speed_flops, owner, own_flops] = machines[k];
    owner.next_step();
    const double flops = speed_flops * owner.value();
    rate_flops += flops - std::exchange(own_flops, flops);
    ends.push({owner.end_s(), k});
  };
  for (std::size_t i = first_worker(scenario); i < scenario.size(); ++i) {
    machines.push_back({scenario.platform->workstations[i].speed_flops,
                        PathCursor(scenario.owners[i]->path({scenario.seed, replication, i, Purpose::owner}))});
    take_step(machines.size() - 1);
  }
  double left_flop = scenario.workload->program().work_flop;
  for (double now_s = 0;;) {
    const auto [end_s, machine] = ends.top();
    const double done_flop = rate_flops * (end_s - now_s);
    if (done_flop >= left_flop) return now_s + left_flop / rate_flops;
    left_flop -= done_flop;
    now_s = end_s;
    ends.pop();
    take_step(machine);
  }
}

}  // namespace

Moments computing_time(const Scenario& scenario, std::size_t i, double share_flop, const Batch& replications) {
  Moments times;
  const double work_s = share_flop / scenario.platform->workstations[i].speed_flops;
  OwnerDraws draws(*scenario.owners[i]);
  for (std::uint64_t k = replications.first; k < replications.first + replications.count; ++k)
    times.add(time_s(*draws.of(scenario.seed, k).path({scenario.seed, k, i, Purpose::owner}), work_s));
  return times;
}

std::vector<double> available_time(const Scenario& scenario, std::size_t i, double seconds, const Batch& replications) {
  std::vector<double> times_s;
  OwnerDraws draws(*scenario.owners[i]);
  for (std::uint64_t k = replications.first; k < replications.first + replications.count; ++k) {
    const auto path = draws.of(scenario.seed, k).path({scenario.seed, k, i, Purpose::owner});
    times_s.push_back(integral_of(*path, seconds).sum_s);
  }
  return times_s;
}

std::vector<double> times_together(const Scenario& scenario, const Batch& replications, DrawnOwners* owners) {
  std::vector<double> times_s;
  ScenarioDraws draws(scenario, owners);
  for (std::uint64_t k = replications.first; k < replications.first + replications.count; ++k)
    times_s.push_back(time_together_s(draws.of(k), k));
  return times_s;
}

}  // namespace nowsim
