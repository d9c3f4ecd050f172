// Differences replication by replication.
#include "sim/statistics/paired.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/statistics/sample.hpp"

namespace nowsim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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

/// How many replications there are, and in how many one alone is late.
struct Discordant {
  double all = 0, only_a = 0, only_b = 0;
  [[nodiscard]] double difference() const { return (only_a - only_b) / all; }
  /// Whether the score test at the normal quantile z bears the difference d: Tango (Stat. Med. 17, 1998), whose estimate
  /// of the lesser cell's probability q, given d, is the root of a quadratic.
  [[nodiscard]] bool bears(double d, double z) const {
    const double a = 2 * all, b = (2 * all - only_a + only_b) * d - only_a - only_b, c = -only_b * d * (1 - d);
    const double q = (std::sqrt(std::max(0.0, b * b - 4 * a * c)) - b) / (2 * a);
    const double miss = only_a - only_b - all * d;
    return miss * miss <= z * z * all * std::max(0.0, 2 * q + d * (1 - d));
  }
  /// The last difference on the way from the estimate to `end` that is borne.
  [[nodiscard]] double bound(double end, double z) const {
    if (bears(end, z)) return end;
    const auto at = [&](double part) { return difference() + part * (end - difference()); };
    constexpr int kBits = 50;
    const auto [in, out] = boost::math::tools::bisect([&](double part) { return bears(at(part), z) ? -1.0 : 1.0; }, 0.0, 1.0,
                                                      boost::math::tools::eps_tolerance<double>(kBits));
    return at(0.5 * (in + out));
  }
};

Estimate score_interval(std::span<const double> a, std::span<const double> b, double t, double confidence) {
  Discordant counts;
  counts.all = static_cast<double>(std::min(a.size(), b.size()));
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    counts.only_a += a[k] > t && b[k] <= t;
    counts.only_b += b[k] > t && a[k] <= t;
  }
  if (counts.all == 0) return {kNone, kNone, kNone};
  const double z = normal_quantile(confidence);
  return {counts.difference(), counts.bound(-1, z), counts.bound(1, z)};
}

}  // namespace

Estimate paired_difference(std::span<const double> a, std::span<const double> b, const Confidence& confidence,
                           std::size_t unit) {
  return mean_estimate(sample_of(a, b, unit, [](double x, double y) { return x - y; }), confidence);
}

Estimate paired_late_difference(std::span<const double> a, std::span<const double> b, double t,
                                const Confidence& confidence, std::size_t unit) {
  if (unit == 1) return score_interval(a, b, t, confidence.level);
  const auto difference = [t](double x, double y) { return (x > t ? 1.0 : 0.0) - (y > t ? 1.0 : 0.0); };
  const Sample sample = sample_of(a, b, unit, difference);
  const Estimate e = mean_estimate(sample, confidence);
  if (e.value != 0 || e.half_width() > 0) return e;
  const double most = proportion_estimate(0, sample.number_of_units(), confidence.level).high;  // none differs
  return {0, -most, most};
}

bool is_apart_from_zero(const Estimate& difference) { return difference.low > 0 || difference.high < 0; }

}  // namespace nowsim
