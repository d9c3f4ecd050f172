// Power weights out of speeds.
#include "sim/platform/power_weights.hpp"

#include <algorithm>
#include <numeric>

namespace nowsim {

double fastest_flops(const Platform& platform) {
  double most = 0;
  for (const auto& w : platform.workstations) most = std::max(most, w.speed_flops);
  return most;
}

std::vector<double> power_weights(const Platform& platform) {
  const double most = fastest_flops(platform);
  std::vector<double> weight;
  for (const auto& w : platform.workstations) weight.push_back(w.speed_flops / most);
  return weight;
}

double total_power(const Platform& platform) {
  const std::vector<double> weight = power_weights(platform);
  return std::accumulate(weight.begin(), weight.end(), 0.0);
}

double heterogeneity(const Platform& platform) {
  return 1 - total_power(platform) / static_cast<double>(platform.workstations.size());
}

}  // namespace nowsim
