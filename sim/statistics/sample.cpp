// Observations from units of replications, and the estimates that differ from those of plain samples.
#include "sim/statistics/sample.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "sim/statistics/influence.hpp"

namespace nowsim {
namespace {

const Moments& moments(const Sample& s) { return s; }

double number_of_units(const Sample& s) { return static_cast<double>(s.number_of_units()); }

/// sigma² of a replication: that within the sample, and that of its mean, which the former lacks.
double unbiased_variance(const Sample& s) { return s.central(2) + s.units().covariance(0, 0) / number_of_units(s); }

/// What the delta method needs of units: x the mean, d the mean squared deviation from the sample's mean.
struct UnitVariances {
  double x, d, x_and_d;
};

UnitVariances unit_variances(const Sample& s) {
  const JointMoments units = s.units();
  const double shift = 2 * (units.mean(0) - s.origin());  // d is the mean square from the origin, less shift·x
  const double x = units.covariance(0, 0), square = units.covariance(1, 1), both = units.covariance(0, 1);
  return {x, square - 2 * shift * both + shift * shift * x, both - shift * x};
}

/// How many independent replications would tell the mean squared deviation as well.
double observations(const Sample& s, const UnitVariances& v) {
  const double alone = s.central(4) - s.central(2) * s.central(2), units = number_of_units(s);
  return v.d > 0 ? std::clamp(alone / v.d * units, units, static_cast<double>(s.count())) : units;
}

double half_width(const Sample& s, double variance, const Confidence& confidence) {
  if (!s.has_units()) return kNotKnown;
  return student_quantile(s.number_of_units(), confidence) * std::sqrt(std::max(0.0, variance) / number_of_units(s));
}

Influence influence_of(const Sample& s, Observations::Column values, double centre) {
  return {std::move(values), s.observed().span(), s.observed().replications(), centre};
}

Estimate with_mean_influence(const Sample& s, Estimate e) {
  if (!s.has_all_observed()) return e;
  const Influence influence = influence_of(s, s.observed().column(0), s.mean());
  return with_influence(std::move(e), influence.moved_by(s.observed().steps(std::array{1.0})));
}

/// Entry by entry the mean of (x - mean)² and of x - mean.
std::pair<std::vector<double>, std::vector<double>> deviations(const Sample& s) {
  std::vector<double> first = *s.observed().column(0), second = first;
  const bool is_single = s.observed().columns() == 1;
  const double shift = s.mean() - s.origin();
  for (std::size_t k = 0; k < first.size(); ++k) {
    first[k] -= s.mean();
    second[k] = is_single ? first[k] * first[k]
                          : (*s.observed().column(1))[k] - 2 * shift * (first[k] + s.mean() - s.origin()) + shift * shift;
  }
  return {std::move(second), std::move(first)};
}

Estimate with_spread_influence(const Sample& s, Estimate e, double by_variance, double by_mean) {
  if (!s.has_all_observed()) return e;
  auto [squares, values] = deviations(s);
  const double variance = s.central(2);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = by_variance * (squares[k] - variance) + by_mean * values[k];
  return with_influence(std::move(e), influence_of(s, std::make_shared<std::vector<double>>(std::move(values)), 0));
}

Estimate with_sd_influence(const Sample& s, Estimate e) {
  return e.value > 0 ? with_spread_influence(s, e, 1 / (2 * e.value), 0) : e;
}

Estimate with_cv_influence(const Sample& s, Estimate e) {
  return e.value != 0 ? with_spread_influence(s, e, e.value / (2 * s.variance()), -e.value / s.mean()) : e;
}

/// Of the regression estimate: the residuals that each entry has by the coefficients of its fold, where entries are
/// observations; of longer ones by the folds' mean coefficients, which then are nearly the same.
Estimate with_controlled_influence(const Sample& s, Estimate e, const ControlledMean& m) {
  if (!s.has_all_observed()) return e;
  if (m.residuals.empty()) return with_mean_influence(s, std::move(e));
  const Observations& observed = s.observed();
  const std::size_t folds = m.residuals.size();
  const bool are_units = observed.span() == s.sampling().unit;
  const auto factor = [&](std::size_t k, std::size_t variable) {
    if (are_units) return m.residuals[k % folds][variable];
    double sum = 0;
    for (const auto& fold : m.residuals) sum += fold[variable];
    return sum / static_cast<double>(folds);
  };
  auto values = std::make_shared<std::vector<double>>(*observed.column(0));
  for (std::size_t c = 0; c < s.sampling().controls; ++c)
    for (std::size_t k = 0; k < values->size(); ++k)
      (*values)[k] += factor(k, 2 + c) * (*observed.column(2 + c))[k];
  const double n = number_of_units(s), widened = std::sqrt(n / (n - 2 * m.used));  // as in m.variance
  Influence influence(std::move(values), observed.span(), observed.replications(), e.value);
  return with_influence(std::move(e),
                        influence.times(widened).with_freedom(static_cast<double>(m.degrees_of_freedom)));
}

}  // namespace

void Sample::add_batch(const Moments& batch, std::span<const double> values) {
  assert(sampling_.is_plain());
  if (count() == 0 && !values.empty()) origin_ = values.front();
  merge(batch);
  for (std::size_t k = 0; observed_.is_kept() && k < values.size(); ++k) {
    const std::array both{values[k], (values[k] - origin_) * (values[k] - origin_)};
    observed_.add(std::span(both).first(observed_.columns()));
  }
}

void Sample::add_batch(const Moments& batch) {
  if (count() == 0 && batch.count() > 0) origin_ = batch.mean();
  merge(batch);
  const double shift = batch.count() == 0 ? 0 : batch.mean() - origin_;
  const std::array both{batch.mean(), batch.count() == 0 ? 0 : batch.central(2) + shift * shift};
  if (observed_.is_kept() && batch.count() > 0) observed_.add(std::span(both).first(observed_.columns()), batch.count());
}

void Sample::add_batch(std::span<const double> values, std::span<const std::vector<double>> controls) {
  const Moments batch = Moments::of(values);
  if (count() == 0 && !values.empty()) origin_ = values.front();
  if (sampling_.is_plain()) return add_batch(batch, values);
  merge(batch);
  assert(values.size() % sampling_.unit == 0 && controls.size() >= sampling_.controls);
  const auto unit = static_cast<double>(sampling_.unit);
  std::vector<double> sums(folds_.front().variables());
  for (std::size_t first = 0; first < values.size(); first += sampling_.unit) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = first; k < first + sampling_.unit; ++k) {
      sums[0] += values[k] / unit;
      sums[1] += (values[k] - origin_) * (values[k] - origin_) / unit;
      for (std::size_t c = 0; c < sampling_.controls; ++c) sums[2 + c] += controls[c][k] / unit;
    }
    folds_[number_of_units_++ % folds_.size()].add(sums);
    if (observed_.is_kept()) observed_.add(sums, sampling_.unit);
  }
}

JointMoments Sample::units() const {
  JointMoments all(folds_.empty() ? 0 : folds_.front().variables());
  for (const JointMoments& fold : folds_) all.merge(fold);
  return all;
}

Estimate mean_estimate(const Sample& s, const Confidence& confidence) {
  if (s.sampling().is_plain()) return with_mean_influence(s, mean_estimate(moments(s), confidence));
  if (!s.has_units() || s.count() == 0) return {s.count() == 0 ? kNotKnown : s.mean(), kNotKnown, kNotKnown};
  const ControlledMean m = controlled_mean(s.folds(), 2, s.sampling().controls);
  const double h = student_quantile(m.degrees_of_freedom + 1, confidence) * std::sqrt(m.variance);
  return with_controlled_influence(s, {m.value, m.value - h, m.value + h}, m);
}

Estimate sd_estimate(const Sample& s, const Confidence& confidence) {
  if (s.sampling().unit == 1) return with_sd_influence(s, sd_estimate(moments(s), confidence));
  if (!(s.sd() > 0)) return exactly(s.sd());
  const UnitVariances v = unit_variances(s);
  const double variance = unbiased_variance(s), of_log = v.d / (4 * variance * variance);
  return with_sd_influence(s, spread_interval(s.has_units() ? std::sqrt(variance) : s.sd(),
                                              half_width(s, of_log, confidence), s, observations(s, v), confidence.level));
}

Estimate cv_estimate(const Sample& s, const Confidence& confidence) {
  if (s.sampling().unit == 1 || !(s.sd() > 0) || s.mean() == 0) return with_cv_influence(s, cv_estimate(moments(s), confidence));
  const double variance = unbiased_variance(s), m = s.mean();
  const UnitVariances v = unit_variances(s);
  const double of_log = v.d / (4 * variance * variance) - v.x_and_d / (variance * m) + v.x / (m * m);
  return with_cv_influence(s, spread_interval((s.has_units() ? std::sqrt(variance) : s.sd()) / m,
                                              half_width(s, of_log, confidence), s, observations(s, v), confidence.level));
}

Estimate proportion_estimate(const Sample& s, const Confidence& confidence) {
  if (s.count() == 0) return exactly(kNotKnown);
  const double p = s.mean(), n = static_cast<double>(s.count());
  const double of_mean = s.number_of_units() > 1 ? s.units().covariance(0, 0) / number_of_units(s) : 0;
  const Estimate e = proportion_interval(p, of_mean > 0 ? std::min(n, p * (1 - p) / of_mean) : n, confidence.level);
  if (!s.has_all_observed()) return e;
  const Observations& o = s.observed();
  return with_influence(e, Influence(o.column(0), o.span(), o.replications(), p, 1, Influence::Of::proportion));
}

}  // namespace nowsim
