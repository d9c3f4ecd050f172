// Differences replication by replication.
#include "sim/statistics/paired.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/bracketed_root.hpp"
#include "sim/statistics/sample.hpp"

namespace nowsim {
namespace {

template <class F>
Sample sample_of(std::span<const double> a, std::span<const double> b, std::size_t unit, F f) {
  const std::size_t n = std::min(a.size(), b.size()) / unit * unit;
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) values.push_back(f(a[k], b[k]));
  Sample sample(Sampling{unit, 0});
  sample.add_batch(values, {});
  return sample;
}

/// How many replications there are, and in how many both or one alone are late.
struct Lateness {
  double all = 0, both = 0, only_a = 0, only_b = 0;
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
    const auto are_close = [](double in, double out) { return out - in <= 0x1p-49 * in; };
    return at(bisected(0, 1, [&](double part) { return bears(at(part), z); }, are_close));
  }
};

/// The normal's, of units Student's, as their variance is found.
double quantile_of_units(std::size_t replications, std::size_t unit, const Confidence& confidence) {
  if (unit == 1 || replications < 2 * unit) return normal_quantile(confidence.level);
  return student_quantile(replications / unit, confidence);
}

std::pair<double, double> wilson(double hits, double trials, double z) {
  const double middle = 2 * hits + z * z, reach = z * std::sqrt(z * z + 4 * hits * (1 - hits / trials));
  return {std::max(0.0, middle - reach) / (2 * (trials + z * z)), (middle + reach) / (2 * (trials + z * z))};
}

/// In how many replications either is late; of units as if as many independent ones as would tell the difference of
/// their risks as well, at most so many times as there are.
Lateness lateness_of(std::span<const double> a, std::span<const double> b, double t, std::size_t unit, double most) {
  Lateness out;
  const std::size_t n = std::min(a.size(), b.size()) / unit * unit;
  for (std::size_t k = 0; k < n; ++k) {
    out.both += a[k] > t && b[k] > t ? 1 : 0;
    out.only_a += a[k] > t && b[k] <= t ? 1 : 0;
    out.only_b += b[k] > t && a[k] <= t ? 1 : 0;
  }
  out.all = static_cast<double>(n);
  if (unit == 1 || n == 0) return out;
  const Sample sample = sample_of(a, b, unit, [t](double x, double y) { return (x > t ? 1.0 : 0.0) - (y > t ? 1.0 : 0.0); });
  const double least = 1 / static_cast<double>(unit), units = static_cast<double>(sample.number_of_units());
  const double of_mean = units > 1 ? sample.units().covariance(0, 0) / units : 0;
  const double share = of_mean > 0 ? std::clamp(sample.central(2) / out.all / of_mean, least, most) : least;
  for (double* count : {&out.all, &out.both, &out.only_a, &out.only_b}) *count *= share;
  return out;
}

}  // namespace

Estimate paired_difference(std::span<const double> a, std::span<const double> b, const Confidence& confidence,
                           std::size_t unit) {
  return mean_estimate(sample_of(a, b, unit, [](double x, double y) { return x - y; }), confidence);
}

Estimate paired_late_difference(std::span<const double> a, std::span<const double> b, double t,
                                const Confidence& confidence, std::size_t unit) {
  const Lateness late = lateness_of(a, b, t, unit, kInfinity);
  if (late.all == 0) return kUnknownEstimate;
  const double z = quantile_of_units(std::min(a.size(), b.size()), unit, confidence);
  return {late.difference(), late.bound(-1, z), late.bound(1, z)};
}

Estimate paired_late_ratio(std::span<const double> a, std::span<const double> b, double t, const Confidence& confidence,
                           std::size_t unit) {
  const Lateness late = lateness_of(a, b, t, unit, 1);
  if (late.all == 0) return kUnknownEstimate;
  const double of_a = late.both + late.only_a, of_b = late.both + late.only_b, any = of_a + late.only_b;
  if (any == 0) return {kNotKnown, 0, kInfinity};
  const auto error = [any](double hits) { return std::sqrt((1 - (hits + 1) / (any + 2)) / (hits + 1)); };
  const double together = std::sqrt((late.only_a + late.only_b + 2) / ((of_a + 1) * (of_b + 1)));
  const double z = quantile_of_units(std::min(a.size(), b.size()), unit, confidence) * together / (error(of_a) + error(of_b));
  const auto [low_a, high_a] = wilson(of_a, any, z);
  const auto [low_b, high_b] = wilson(of_b, any, z);
  return {of_a / of_b, low_a / high_b, low_b > 0 ? high_a / low_b : kInfinity};
}

bool is_apart_from_zero(const Estimate& difference) { return difference.low > 0 || difference.high < 0; }

}  // namespace nowsim
