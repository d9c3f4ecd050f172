// Moments in one pass, and the intervals around what they estimate.
#include "sim/statistics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

/// The probability beyond each end of a two-sided interval.
double tail(double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw InputError("a confidence of " + std::to_string(confidence) +
                     " is not possible: it must lie between 0 and 1, such as 0.95");
  return 0.5 * (1 - confidence);
}

/// n·Var(log s), by the delta method on s^2; positive for every sample with some spread.
double log_sd_variance(const Moments& m) {
  const double n = static_cast<double>(m.count()), s2 = m.variance();
  return (m.central(4) / (s2 * s2) - (n - 3) / (n - 1)) / 4;
}

Estimate clopper_pearson(double share, double hits, double trials, double confidence) {
  const double beyond = tail(confidence);
  return {share, hits > 0 ? beta_quantile(hits, trials - hits + 1, beyond) : 0,
          hits < trials ? beta_quantile_above(hits + 1, trials - hits, beyond) : 1};
}

/// Student's half-width for an estimate whose variance is `variance`/n; NaN for fewer than two values.
double half_width(const Moments& m, double variance, const Confidence& confidence) {
  return student_quantile(m.count(), confidence) * std::sqrt(variance / static_cast<double>(m.count()));
}

}  // namespace

Estimate log_interval(double value, double down, double up) {
  const double towards_zero = value * portable::exp(-down), away = value * portable::exp(up);
  return {value, std::min(towards_zero, away), std::max(towards_zero, away)};
}

/// Hall's expansions would tell both factors from moments up to the eighth, which samples understate by far; skewness and
/// kurtosis tell them nearly as well for the laws that times follow, single peaks with a tail above and bounded ones: of
/// these forms the constants are those of the best coverage (coverage.md). L is 1 for a normal law, G the share of
/// (x - mean)² that follows from x.
Estimate spread_interval(double value, double h, const Moments& m, double observations, double confidence) {
  const double z = normal_quantile(confidence) / normal_quantile(0.95);
  const double variance = m.central(2), skewness2 = m.central(3) * m.central(3) / (variance * variance * variance);
  const double square = std::max(0.0, m.central(4) / (variance * variance) - 1) / 2, linear = std::sqrt(square);
  const double share = square > 0 ? std::min(1.0, skewness2 / (2 * square)) : 0, most = 4;
  const double shorter = 1 + z * std::max(0.0, 1.5 * linear - 4.7 * share) / std::sqrt(observations);
  const double longer = std::min(most, 1 + z * 36 * square / observations);
  return log_interval(value, h / shorter, h * longer);
}

/// merge() with the moments of one value, to the bit: the terms that are zero left out.
void Moments::add(double x) {
  if (n_ == 0) {
    n_ = 1;
    mean_ = min_ = max_ = x;
    return;
  }
  const double na = static_cast<double>(n_), n = na + 1;
  const double a = na / n, b = 1 / n, d = x - mean_, d2 = d * d;
  m4_ += d2 * d2 * na * b * (a * a - a * b + b * b) + 6 * d2 * (b * b * m2_) - 4 * d * (b * m3_);
  m3_ += d2 * d * na * b * (a - b) - 3 * d * (b * m2_);
  m2_ += d2 * na * b;
  mean_ += d * b;
  min_ = std::min(min_, x);
  max_ = std::max(max_, x);
  ++n_;
}

void Moments::merge(const Moments& o) {  // Pébay 2008, (2.1) and (3.1) for p = 2, 3, 4
  if (o.n_ == 0) return;
  if (n_ == 0) {
    *this = o;
    return;
  }
  const double na = static_cast<double>(n_), nb = static_cast<double>(o.n_), n = na + nb;
  const double a = na / n, b = nb / n, d = o.mean_ - mean_, d2 = d * d;
  m4_ += o.m4_ + d2 * d2 * na * b * (a * a - a * b + b * b) + 6 * d2 * (a * a * o.m2_ + b * b * m2_) +
         4 * d * (a * o.m3_ - b * m3_);
  m3_ += o.m3_ + d2 * d * na * b * (a - b) + 3 * d * (a * o.m2_ - b * m2_);
  m2_ += o.m2_ + d2 * na * b;
  mean_ += d * b;
  min_ = std::min(min_, o.min_);
  max_ = std::max(max_, o.max_);
  n_ += o.n_;
}

double Moments::variance() const { return n_ < 2 ? kNotKnown : m2_ / static_cast<double>(n_ - 1); }

double Moments::sd() const { return std::sqrt(variance()); }

double Moments::central(int k) const {
  if (k < 2 || k > 4) throw std::invalid_argument("Moments::central knows k = 2, 3, 4, not " + std::to_string(k));
  const double sums[] = {m2_, m3_, m4_};
  return sums[k - 2] / static_cast<double>(n_);
}

double mean_of_values(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double student_quantile(std::uint64_t n, const Confidence& confidence) {
  const double beyond = tail(confidence.level);
  if (n < 2) return kNotKnown;
  if (!confidence.memo) return student_quantile_above(static_cast<double>(n - 1), beyond);
  const auto [known, is_new] = confidence.memo->try_emplace({n, confidence.level}, 0);
  if (is_new) known->second = student_quantile_above(static_cast<double>(n - 1), beyond);
  return known->second;
}

double normal_quantile(double confidence) {
  return std::numbers::sqrt2 * portable::erfc_inv(2 * tail(confidence));
}

Estimate mean_estimate(const Moments& m, const Confidence& confidence) {
  const double value = m.count() == 0 ? kNotKnown : m.mean(), h = half_width(m, m.variance(), confidence);
  return {value, value - h, value + h};
}

Estimate sd_estimate(const Moments& m, const Confidence& confidence) {
  if (m.sd() == 0) return exactly(0);
  const double h = half_width(m, log_sd_variance(m), confidence);
  return spread_interval(m.sd(), h, m, static_cast<double>(m.count()), confidence.level);
}

Estimate cv_estimate(const Moments& m, const Confidence& confidence) {
  if (m.mean() == 0) return exactly(kNotKnown);
  if (m.sd() == 0) return exactly(0);
  // Var log(s/m) = Var log s + Var log m - 2 Cov, with Cov(log s, log m) = m3/(2 n s^2 m).
  const double cv = m.sd() / m.mean(), cross = m.central(3) / (m.variance() * m.mean());
  const double h = half_width(m, std::max(0.0, log_sd_variance(m) + cv * cv - cross), confidence);
  return spread_interval(cv, h, m, static_cast<double>(m.count()), confidence.level);
}

Estimate proportion_estimate(std::uint64_t k, std::uint64_t n, double confidence) {
  if (k > n) throw std::invalid_argument("a proportion of more than all was asked for");
  tail(confidence);
  if (n == 0) return exactly(kNotKnown);
  const double trials = static_cast<double>(n), hits = static_cast<double>(k);
  return clopper_pearson(hits / trials, hits, trials, confidence);
}

Estimate proportion_interval(double share, double trials, double confidence) {
  return clopper_pearson(share, share * trials, trials, confidence);
}

Confidence confidence_of_each_of_two(const Confidence& confidence) {
  return {1 - tail(confidence.level), confidence.memo};
}

Estimate ratio_of_intervals(const Estimate& top, const Estimate& bottom) {
  const double value = top.value / bottom.value;
  if (std::isnan(top.low) || std::isnan(bottom.low)) return {value, kNotKnown, kNotKnown};
  return {value, std::max(0.0, top.low) / bottom.high, bottom.low > 0 ? top.high / bottom.low : kInfinity};
}

bool StoppingRule::satisfied(const Estimate& e, std::uint64_t n) const {
  return relative_half_width > 0 && n >= min_replications && e.half_width() <= relative_half_width * std::abs(e.value);
}

}  // namespace nowsim
