// TAP: GSS that leaves room for how much tasks vary.
#include <cmath>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

/// K = T + v²/2 - v·sqrt(2T + v²/4), T = R/P, v = alpha·sigma/mu, rounded up; alpha is 1 unless given (both LB4OMP).
std::int64_t tapered(LoopState& s, std::size_t) {
  const double t = static_cast<double>(s.remaining) / static_cast<double>(s.workers());
  const double v = s.parameters.number_or("alpha", 1) * s.parameters.cv;
  return static_cast<std::int64_t>(std::ceil(t + v * v / 2 - v * std::sqrt(2 * t + v * v / 4)));
}

}  // namespace

Technique tapering() {
  return {.name = "TAP",
          .summary = "tapering: R/P, the less the more tasks vary",
          .citation = "Lucco, PLDI 1992",
          .next = tapered,
          .keys = {{"alpha", KeyType::number, "1", "of the tasks' standard deviations, by which chunks are smaller"}}};
}

}  // namespace nowsim
