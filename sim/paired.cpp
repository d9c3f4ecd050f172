// Differences replication by replication.
#include "sim/paired.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
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

/// Agresti & Min (Stat. Med. 24, 2005): the normal interval after half a replication is added to each of the four cells.
Estimate adjusted_wald(std::span<const double> a, std::span<const double> b, double t, double confidence) {
  const std::size_t n = std::min(a.size(), b.size());
  std::uint64_t only_a = 0, only_b = 0;
  for (std::size_t k = 0; k < n; ++k) {
    only_a += a[k] > t && b[k] <= t;
    only_b += b[k] > t && a[k] <= t;
  }
  const double more = static_cast<double>(only_a) - static_cast<double>(only_b), all = static_cast<double>(n) + 2,
               apart = static_cast<double>(only_a + only_b) + 1;
  const double half = boost::math::quantile(boost::math::normal(), 0.5 * (1 + confidence)) *
                      std::sqrt(apart - more * more / all) / all;
  const double value = n > 0 ? more / static_cast<double>(n) : 0;
  return {value, std::max(-1.0, std::min(value, more / all - half)), std::min(1.0, std::max(value, more / all + half))};
}

}  // namespace

Estimate paired_difference(std::span<const double> a, std::span<const double> b, const Confidence& confidence,
                           std::size_t unit) {
  return mean_estimate(sample_of(a, b, unit, [](double x, double y) { return x - y; }), confidence);
}

Estimate paired_late_difference(std::span<const double> a, std::span<const double> b, double t,
                                const Confidence& confidence, std::size_t unit) {
  if (unit == 1) return adjusted_wald(a, b, t, confidence.level);
  const auto difference = [t](double x, double y) { return (x > t ? 1.0 : 0.0) - (y > t ? 1.0 : 0.0); };
  return mean_estimate(sample_of(a, b, unit, difference), confidence);
}

bool is_apart_from_zero(const Estimate& difference) { return difference.low > 0 || difference.high < 0; }

}  // namespace nowsim
