// One path after another, step by step.
#include "sim/program/computing_time.hpp"

#include <algorithm>

#include "sim/owners/measured_owner.hpp"

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

double left_s(Path& path, double seconds) {
  double sum = 0;
  while (seconds > 0) {
    const Step step = path.next();
    sum += step.value * std::min(step.duration_s, seconds);
    seconds -= step.duration_s;
  }
  return sum;
}

}  // namespace

Moments computing_time(const Scenario& scenario, std::size_t i, double share_flop, const Batch& replications) {
  Moments times;
  const double work_s = share_flop / scenario.platform->workstations[i].speed_flops;
  for (std::uint64_t k = replications.first; k < replications.first + replications.count; ++k)
    times.add(time_s(*scenario.owners[i]->path({scenario.seed, k, i, Purpose::owner}), work_s));
  return times;
}

std::vector<double> available_time(const Scenario& scenario, std::size_t i, double seconds, const Batch& replications) {
  std::vector<double> times_s;
  OwnerPtr owner = scenario.owners[i];
  for (std::uint64_t k = replications.first; k < replications.first + replications.count; ++k) {
    if (scenario.owners[i]->is_measured() && (k % kReplicationsPerDraw == 0 || times_s.empty()))
      owner = scenario.owners[i]->as_drawn(scenario.seed, k / kReplicationsPerDraw);
    times_s.push_back(left_s(*owner->path({scenario.seed, k, i, Purpose::owner}), seconds));
  }
  return times_s;
}

}  // namespace nowsim
