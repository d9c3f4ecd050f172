// The formulas, as printed.
#include "sim/metrics/bazterra_model.hpp"

#include <algorithm>
#include <numeric>

namespace nowsim::bazterra {
namespace {

double sum(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

std::vector<double> ParallelSystem::times_s() const {
  std::vector<double> times(speed.size());
  for (std::size_t i = 0; i < speed.size(); ++i) times[i] = operations * probability[i] / speed[i];
  return times;
}

double ParallelSystem::elapsed_s() const { return std::ranges::max(times_s()); }

double ParallelSystem::total_s() const { return sum(times_s()); }

double ParallelSystem::serial_s() const { return operations / std::ranges::max(speed); }

double ParallelSystem::speedup() const { return serial_s() / elapsed_s(); }

double ParallelSystem::efficiency() const { return speedup() / greatest_speedup(speed); }

double ParallelSystem::effective_processors() const { return total_s() / elapsed_s(); }

std::vector<double> proportional_probabilities(std::span<const double> speed) {
  std::vector<double> shares(speed.begin(), speed.end());
  for (double& share : shares) share /= sum(speed);
  return shares;
}

double greatest_speedup(std::span<const double> speed) { return sum(speed) / std::ranges::max(speed); }

double least_speedup(std::span<const double> speed) { return std::ranges::min(speed) / std::ranges::max(speed); }

double equal_speedup(std::span<const double> speed) {
  return static_cast<double>(speed.size()) * least_speedup(speed);
}

double diversity(std::span<const double> speed) {
  const double mean = sum(speed) / static_cast<double>(speed.size());
  return (std::ranges::max(speed) - mean) / mean;
}

double TwoProcessors::diversity() const { return (h - 1) / (h + 1); }

double TwoProcessors::speedup() const { return p >= 1 / (1 + h) ? 1 / (h * p) : 1 / (1 - p); }

double TwoProcessors::effective_processors() const {
  return p >= 1 / (1 + h) ? 1 + (1 - p) / (h * p) : 1 + h * p / (1 - p);
}

ParallelSystem TwoProcessors::system() const { return {{1, h}, {p, 1 - p}, 1}; }

double idle_s(double total_elapsed_s, double elapsed_s) { return total_elapsed_s - elapsed_s; }

double idle_diversity(double idle_s, double elapsed_s) { return idle_s / elapsed_s; }

double total_speedup(double speedup, double idle_diversity) { return speedup / (1 + idle_diversity); }

}  // namespace nowsim::bazterra
