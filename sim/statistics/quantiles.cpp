// Order statistics, chosen by the binomial distribution.
#include "sim/statistics/quantiles.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/sample.hpp"

namespace nowsim {
namespace {

constexpr double kResolution = 1e-10;  // engines' clocks resolve some 1e-12 of a makespan: less spread is rounding

void check_share(double p) {
  if (!(p > 0 && p < 1)) throw std::invalid_argument("a quantile at " + std::to_string(p) + " was asked for");
}

/// How many independent values would tell the share of values <= t as well as these.
std::uint64_t effective_number(std::span<const double> values, double t, std::size_t unit) {
  Sample below(Sampling{unit, 0});
  std::vector<double> is_below;
  for (const double x : values.first(values.size() / unit * unit)) is_below.push_back(x <= t ? 1 : 0);
  below.add_batch(is_below, {});
  const double share = below.mean(), units = static_cast<double>(below.number_of_units());
  const double of_mean = units > 1 ? below.units().covariance(0, 0) / units : 0;
  const double n = static_cast<double>(values.size());
  return static_cast<std::uint64_t>(of_mean > 0 ? std::min(n, share * (1 - share) / of_mean) : n);
}

/// Ranks among m values as those among n at the same shares, rounded outwards.
QuantileRanks stretched(const QuantileRanks& ranks, std::uint64_t m, std::uint64_t n) {
  return {ranks.low * n / m, ranks.high > m ? n + 1 : (ranks.high * n + m - 1) / m};
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
  if (values.empty()) return {kNotKnown, kNotKnown, kNotKnown};
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::uint64_t n = sorted.size();
  const double value = sorted[quantile_rank(n, p) - 1];
  if (n > 1 && sorted.back() - sorted.front() <= kResolution * sorted.back()) return {value, value, value};
  const std::uint64_t m = unit == 1 ? n : std::max<std::uint64_t>(1, effective_number(values, value, unit));
  const QuantileRanks ranks = stretched(quantile_ranks(m, p, confidence.level), m, n);
  return {value, ranks.low == 0 ? 0 : std::min(value, sorted[ranks.low - 1]),
          ranks.high > n ? kInfinity : std::max(value, sorted[ranks.high - 1])};
}

}  // namespace nowsim
