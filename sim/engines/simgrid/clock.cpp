// Choosing SimGrid's precision from what a replication may take.
#include "sim/engines/simgrid/clock.hpp"

#include <algorithm>
#include <cmath>

namespace nowsim {

double expected_time(const Scenario& scenario) {
  double longest = 0;
  for (std::size_t i = 0; i < scenario.size(); ++i)
    if (const double speed = scenario.available_speed(i); scenario.share_flop[i] > 0 && speed > 0)
      longest = std::max(longest, scenario.share_flop[i] / speed);
  return std::isfinite(longest) ? longest : 0;
}

double clock_precision(double typical_s) {
  if (typical_s <= 0) return 1e-12;
  return std::max(std::min(1e-9, 2.7e-12 * typical_s), 8e-14 * typical_s);
}

double clock_limit(double precision_s) { return precision_s / (8 * 0x1p-52); }

}  // namespace nowsim
