// Differences replication by replication.
#include "sim/paired.hpp"

#include <algorithm>
#include <vector>

#include "sim/sample.hpp"

namespace nowsim {
namespace {

/// f of each replication that both have, as a sample of units.
template <class F>
Sample sample_of(std::span<const double> a, std::span<const double> b, std::size_t unit, F f) {
  const std::size_t n = std::min(a.size(), b.size()) / unit * unit;
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) values.push_back(f(a[k], b[k]));
  Sample sample(Sampling{unit, 0});
  sample.add_batch(values, {});
  return sample;
}

Estimate mcnemar(std::span<const double> a, std::span<const double> b, double t, double confidence) {
  const std::size_t n = std::min(a.size(), b.size());
  std::uint64_t only_a = 0, only_b = 0;
  for (std::size_t k = 0; k < n; ++k) {
    only_a += a[k] > t && b[k] <= t;
    only_b += b[k] > t && a[k] <= t;
  }
  const std::uint64_t apart = only_a + only_b;
  if (apart == 0) {
    const double most = proportion_estimate(0, n, confidence).high;
    return {0, -most, most};
  }
  const Estimate share = proportion_estimate(only_a, apart, confidence);
  const double of_all = static_cast<double>(apart) / static_cast<double>(n);
  return {of_all * (2 * share.value - 1), of_all * (2 * share.low - 1), of_all * (2 * share.high - 1)};
}

}  // namespace

Estimate paired_difference(std::span<const double> a, std::span<const double> b, const Confidence& confidence,
                           std::size_t unit) {
  return mean_estimate(sample_of(a, b, unit, [](double x, double y) { return x - y; }), confidence);
}

Estimate paired_late_difference(std::span<const double> a, std::span<const double> b, double t,
                                const Confidence& confidence, std::size_t unit) {
  if (unit == 1) return mcnemar(a, b, t, confidence.level);
  const auto difference = [t](double x, double y) { return (x > t ? 1.0 : 0.0) - (y > t ? 1.0 : 0.0); };
  return mean_estimate(sample_of(a, b, unit, difference), confidence);
}

bool is_apart_from_zero(const Estimate& difference) { return difference.low > 0 || difference.high < 0; }

}  // namespace nowsim
