// Differences and ratios of quantiles, from the places at which both may lie among the sorted values.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/joint_moments.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/quantiles.hpp"

namespace nowsim {
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

std::vector<double> sorted_of(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::ranges::sort(out);
  return out;
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

/// Quantiles on the scale of `to`, whose inverse makes of their difference what is wanted.
struct Scale {
  double (*to)(double);
  double (*combine)(double, double);  ///< the contrast of two quantiles
  double (*move)(double, double);     ///< it, when the difference on the scale is so much more
};

Estimate paired_quantiles(std::span<const double> a, std::span<const double> b, double p, const Confidence& confidence,
                          std::size_t unit, const Scale& scale) {
  if (a.empty() || b.empty()) return kUnknownEstimate;
  const Estimate at_a = quantile_estimate(a, p, confidence, unit), at_b = quantile_estimate(b, p, confidence, unit);
  const double value = scale.combine(at_a.value, at_b.value);
  if (std::ranges::equal(a, b)) return exactly(value);
  if (!has_ends(at_a) || !has_ends(at_b)) {
    const Confidence each = confidence_of_each_of_two(confidence);
    const Estimate x = quantile_estimate(a, p, each, unit), y = quantile_estimate(b, p, each, unit);
    return {value, scale.combine(x.low, y.high), scale.combine(x.high, y.low)};
  }
  const std::vector<double> sorted_a = sorted_of(a), sorted_b = sorted_of(b);
  const bool are_stepped = is_stepped(sorted_a) || is_stepped(sorted_b);
  const auto reach = [&](const std::vector<double>& sorted, const Estimate& at, double of_share) {
    const double z = normal_quantile(confidence.level), middle = scale.to(at.value);
    const double low = are_stepped ? at.low : at_place(sorted, p, of_share, -z);
    const double high = are_stepped ? at.high : at_place(sorted, p, of_share, z);
    return QuantileReach{std::max(0.0, middle - scale.to(low)), std::max(0.0, scale.to(high) - middle)};
  };
  const QuantileReach of_a = reach(sorted_a, at_a, of_share(a, at_a.value, p, unit));
  const QuantileReach of_b = reach(sorted_b, at_b, of_share(b, at_b.value, p, unit));
  const double r =
      are_stepped ? -1 : correlation_of_shares(a, at_a.value, b, at_b.value, unit);  // steps coincide or do not
  return {value, scale.move(value, -joint_reach(of_a.below, of_a.above, of_b.below, of_b.above, r)),
          scale.move(value, joint_reach(of_a.above, of_a.below, of_b.above, of_b.below, r))};
}

}  // namespace

Estimate paired_quantile_difference(std::span<const double> a, std::span<const double> b, double p,
                                    const Confidence& confidence, std::size_t unit) {
  return paired_quantiles(a, b, p, confidence, unit,
                          {[](double q) { return q; }, [](double x, double y) { return x - y; },
                           [](double value, double by) { return value + by; }});
}

Estimate paired_quantile_ratio(std::span<const double> a, std::span<const double> b, double p,
                               const Confidence& confidence, std::size_t unit) {
  return paired_quantiles(a, b, p, confidence, unit,
                          {[](double q) { return portable::log(q); }, [](double x, double y) { return x / y; },
                           [](double value, double by) { return value * portable::exp(by); }});
}

}  // namespace nowsim
