// Order statistics, chosen by the binomial distribution; differences of quantiles from the places at which both may lie
// among the sorted values; differences replication by replication.
#include "sim/statistics/series_estimates.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/roots_and_minima.hpp"
#include "sim/statistics/sample.hpp"

namespace nowsim {
namespace {

void check_share(double p) {
  if (!(p > 0 && p < 1)) throw std::invalid_argument("a quantile at " + std::to_string(p) + " was asked for");
}

std::vector<double> sorted_of(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::ranges::sort(out);
  return out;
}

/// Of f(a, b) over the replications that both have, as many as are whole units.
template <class F>
Sample sample_of(std::span<const double> a, std::span<const double> b, std::size_t unit, F f) {
  const std::size_t n = std::min(a.size(), b.size()) / unit * unit;
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) values.push_back(f(a[k], b[k]));
  Sample sample(Sampling{unit, 0});
  sample.add_batch(values, {});
  return sample;
}

/// How many independent values would tell the share of values <= t as well as these.
std::uint64_t effective_number(std::span<const double> values, double t, std::size_t unit) {
  const Sample below = sample_of(values, values, unit, [t](double x, double) { return x <= t ? 1.0 : 0.0; });
  const double share = below.mean(), of_mean = below.variance_of_mean(), n = static_cast<double>(values.size());
  return static_cast<std::uint64_t>(of_mean > 0 ? std::min(n, share * (1 - share) / of_mean) : n);
}

}  // namespace

std::uint64_t quantile_rank(std::uint64_t n, double p) {
  const double place = std::ceil(static_cast<double>(n) * p - 1e-9);
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(place), 1, n);
}

QuantileRanks quantile_ranks(std::uint64_t n, double p, double confidence) {
  using boost::math::cdf, boost::math::complement, boost::math::quantile;
  check_share(p);
  const double beyond = 0.5 * (1 - confidence), last = static_cast<double>(n);
  const boost::math::binomial_distribution<double> below(last, p);  // values up to the quantile
  double k = std::floor(quantile(below, beyond));
  while (k >= 0 && cdf(below, k) > beyond) --k;
  while (k + 1 < last && cdf(below, k + 1) <= beyond) ++k;
  double u = std::floor(quantile(complement(below, beyond)));  // P[more than u] may be beyond the upper end
  while (u < last && cdf(complement(below, u)) > beyond) ++u;
  while (u >= 1 && cdf(complement(below, u - 1)) <= beyond) --u;
  return {static_cast<std::uint64_t>(k + 1), static_cast<std::uint64_t>(u) + 1};
}

Estimate quantile_estimate(std::span<const double> values, double p, const Confidence& confidence, std::size_t unit) {
  check_share(p);
  if (values.empty()) return kUnknownEstimate;
  const std::vector<double> sorted = sorted_of(values);
  const std::uint64_t n = sorted.size();
  const double value = sorted[quantile_rank(n, p) - 1];
  if (n > 1 && sorted.back() - sorted.front() <= kRoundingShare * sorted.back()) return exactly(value);
  const std::uint64_t m = unit == 1 ? n : std::max<std::uint64_t>(1, effective_number(values, value, unit));
  const QuantileRanks ranks = quantile_ranks(m, p, confidence.level);
  // Among m values as those among n at the same shares, rounded outwards.
  const std::uint64_t low = ranks.low * n / m, high = ranks.high > m ? n + 1 : (ranks.high * n + m - 1) / m;
  return {value, low == 0 ? 0 : std::min(value, sorted[low - 1]),
          high > n ? kInfinity : std::max(value, sorted[high - 1])};
}

// ---- differences and ratios of quantiles ---------------------------------------------------------------------------

namespace {

/// The p-quantile of sorted values when it lies z standard deviations of its place from where it is expected: between
/// order statistics (Hettmansperger & Sheather, Stat. Prob. Lett. 4, 1986), the place by Cornish & Fisher's expansion
/// of the binomial law. of_share the variance of the share of values up to the quantile.
double at_place(const std::vector<double>& sorted, double p, double of_share, double z) {
  const double n = static_cast<double>(sorted.size());
  const double binomial = n * p + 0.5 + n * std::sqrt(of_share) * z + (1 - 2 * p) * (z * z - 1) / 6;
  const double place = std::clamp(binomial, 1.0, n) - 1, below = std::floor(place);
  const auto k = static_cast<std::size_t>(below);
  return sorted[k] + (place - below) * (sorted[std::min(k + 1, sorted.size() - 1)] - sorted[k]);
}

bool is_stepped(const std::vector<double>& sorted) {
  std::size_t distinct = 1;
  for (std::size_t k = 1; k < sorted.size(); ++k) distinct += sorted[k] > sorted[k - 1] ? 1 : 0;
  return 2 * distinct < sorted.size();
}

/// Means over units of whether values are up to a limit; of two series over the units that both have.
JointMoments shares_up_to(std::span<const double> a, double to_a, std::span<const double> b, double to_b,
                          std::size_t unit) {
  JointMoments out(2);
  for (std::size_t first = 0; first + unit <= std::min(a.size(), b.size()); first += unit) {
    std::array<double, 2> mean{};
    for (std::size_t k = first; k < first + unit; ++k) {
      mean[0] += (a[k] <= to_a ? 1.0 : 0.0) / static_cast<double>(unit);
      mean[1] += (b[k] <= to_b ? 1.0 : 0.0) / static_cast<double>(unit);
    }
    out.add(mean);
  }
  return out;
}

double of_share(std::span<const double> values, double quantile, double p, std::size_t unit) {
  const double alone = p * (1 - p) / static_cast<double>(values.size());
  if (unit == 1) return alone;
  const JointMoments s = shares_up_to(values, quantile, values, quantile, unit);
  const double of_units = s.count() > 1 ? s.covariance(0, 0) / static_cast<double>(s.count()) : alone;
  return std::max(of_units, alone / static_cast<double>(unit));
}

/// Of the shares up to both quantiles: as if one unit more had one value up to its quantile and the other not, since
/// samples may have none such, which does not mean that there are none.
double correlation_of_shares(std::span<const double> a, double at_a, std::span<const double> b, double at_b,
                             std::size_t unit) {
  const JointMoments s = shares_up_to(a, at_a, b, at_b, unit);
  const double square = std::sqrt(s.products(0, 0) * s.products(1, 1));
  const double common = static_cast<double>(std::min(a.size(), b.size()));
  const double share = common / std::sqrt(static_cast<double>(a.size()) * static_cast<double>(b.size()));
  return square > 0 ? std::clamp((s.products(0, 1) - 0.5) / square * share, -1.0, 1.0) : 0;
}

struct QuantileReach {
  double below, above;
};

/// How far a - b may lie below its value, of quantiles of this correlation, from how far each may: Zou & Donner (Stat.
/// Med. 27, 2008), where they are not positively correlated. Where they are, what moves both would not cancel from
/// opposite sides, so the part that is theirs in common counts by the difference of their mean reaches.
double joint_reach(double a_below, double a_above, double b_below, double b_above, double r) {
  const double squares = a_below * a_below + b_above * b_above;
  if (r <= 0) return std::sqrt(squares - 2 * r * a_below * b_above);
  const double in_common = 0.5 * (a_below + a_above - b_below - b_above);
  return std::sqrt((1 - r) * squares + r * in_common * in_common);
}

bool has_ends(const Estimate& e) { return e.low > 0 && e.high < kInfinity; }

/// Their difference, or their ratio, on the scale of logarithms.
Estimate paired_quantiles(std::span<const double> a, std::span<const double> b, double p, const Confidence& confidence,
                          std::size_t unit, bool is_ratio) {
  if (a.empty() || b.empty()) return kUnknownEstimate;
  const auto on_scale = [is_ratio](double q) { return is_ratio ? portable::log(q) : q; };
  const auto contrast = [is_ratio](double x, double y) { return is_ratio ? x / y : x - y; };
  const Estimate at_a = quantile_estimate(a, p, confidence, unit), at_b = quantile_estimate(b, p, confidence, unit);
  const double value = contrast(at_a.value, at_b.value);
  if (std::ranges::equal(a, b)) return exactly(value);
  if (!has_ends(at_a) || !has_ends(at_b)) {
    const Confidence each = confidence_of_each_of_two(confidence);
    const Estimate x = quantile_estimate(a, p, each, unit), y = quantile_estimate(b, p, each, unit);
    return {value, contrast(x.low, y.high), contrast(x.high, y.low)};
  }
  const std::vector<double> sorted_a = sorted_of(a), sorted_b = sorted_of(b);
  const bool are_stepped = is_stepped(sorted_a) || is_stepped(sorted_b);
  const auto reach = [&](const std::vector<double>& sorted, const Estimate& at, double of_share) {
    const double z = normal_quantile(confidence.level), middle = on_scale(at.value);
    const double low = are_stepped ? at.low : at_place(sorted, p, of_share, -z);
    const double high = are_stepped ? at.high : at_place(sorted, p, of_share, z);
    return QuantileReach{std::max(0.0, middle - on_scale(low)), std::max(0.0, on_scale(high) - middle)};
  };
  const QuantileReach of_a = reach(sorted_a, at_a, of_share(a, at_a.value, p, unit));
  const QuantileReach of_b = reach(sorted_b, at_b, of_share(b, at_b.value, p, unit));
  const double r =
      are_stepped ? -1 : correlation_of_shares(a, at_a.value, b, at_b.value, unit);  // steps coincide or do not
  const double down = joint_reach(of_a.below, of_a.above, of_b.below, of_b.above, r);
  const double up = joint_reach(of_a.above, of_a.below, of_b.above, of_b.below, r);
  return is_ratio ? log_interval(value, down, up) : Estimate{value, value - down, value + up};
}

}  // namespace

Estimate paired_quantile_difference(std::span<const double> a, std::span<const double> b, double p,
                                    const Confidence& confidence, std::size_t unit) {
  return paired_quantiles(a, b, p, confidence, unit, false);
}

Estimate paired_quantile_ratio(std::span<const double> a, std::span<const double> b, double p,
                               const Confidence& confidence, std::size_t unit) {
  return paired_quantiles(a, b, p, confidence, unit, true);
}

// ---- differences of means and of chances ---------------------------------------------------------------------------

namespace {

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
  const double least = 1 / static_cast<double>(unit), of_mean = sample.variance_of_mean();
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
