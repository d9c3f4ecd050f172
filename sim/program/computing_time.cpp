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

/// What machines do as their owners leave them, from step to step of any.
class MachinesTogether {
 public:
  MachinesTogether(const Scenario& scenario, std::uint64_t replication) {
    for (std::size_t i = first_worker(scenario); i < scenario.size(); ++i) {
      machines_.push_back({scenario.platform->workstations[i].speed_flops,
                           PathCursor(scenario.owners[i]->path({scenario.seed, replication, i, Purpose::owner}))});
      take_step(machines_.size() - 1);
    }
  }
  /// When so much is done.
  double time_s(double work_flop) {
    for (double now_s = 0;;) {
      const auto [end_s, machine] = ends_.top();
      const double done_flop = rate_flops_ * (end_s - now_s);
      if (done_flop >= work_flop) return now_s + work_flop / rate_flops_;
      work_flop -= done_flop;
      now_s = end_s;
      ends_.pop();
      take_step(machine);
    }
  }

 private:
  struct Machine {
    double speed_flops;
    PathCursor owner;
    double rate_flops = 0;
  };
  void take_step(std::size_t k) {
    Machine& machine = machines_[k];
    machine.owner.next_step();
    const double rate_flops = machine.speed_flops * machine.owner.value();
    rate_flops_ += rate_flops - std::exchange(machine.rate_flops, rate_flops);
    ends_.push({machine.owner.end_s(), k});
  }
  using End = std::pair<double, std::size_t>;
  std::vector<Machine> machines_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  double rate_flops_ = 0;
};

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

std::vector<double> times_together(const Scenario& scenario, const Batch& replications) {
  std::vector<double> times_s;
  ScenarioDraws draws(scenario);
  for (std::uint64_t k = replications.first; k < replications.first + replications.count; ++k)
    times_s.push_back(MachinesTogether(draws.of(k), k).time_s(scenario.workload->program().work_flop));
  return times_s;
}

}  // namespace nowsim
