// Observations from units of replications, and the estimates that differ from those of plain samples.
#include "sim/statistics/sample.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

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

double half_width(const Sample& s, double variance, const Confidence& confidence) {
  if (!s.has_units()) return kNotKnown;
  return student_quantile(s.number_of_units(), confidence) * std::sqrt(std::max(0.0, variance) / number_of_units(s));
}

}  // namespace

void Sample::add_batch(std::span<const double> values, std::span<const std::vector<double>> controls) {
  Moments batch;
  for (const double x : values) batch.add(x);
  if (count() == 0 && !values.empty()) origin_ = values.front();
  merge(batch);
  if (sampling_.is_plain()) return;
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
  }
}

JointMoments Sample::units() const {
  JointMoments all(folds_.empty() ? 0 : folds_.front().variables());
  for (const JointMoments& fold : folds_) all.merge(fold);
  return all;
}

Estimate mean_estimate(const Sample& s, const Confidence& confidence) {
  if (s.sampling().is_plain()) return mean_estimate(moments(s), confidence);
  if (!s.has_units() || s.count() == 0) return {s.count() == 0 ? kNotKnown : s.mean(), kNotKnown, kNotKnown};
  const ControlledMean m = controlled_mean(s.folds(), 2, s.sampling().controls);
  const double h = student_quantile(m.degrees_of_freedom + 1, confidence) * std::sqrt(m.variance);
  return {m.value, m.value - h, m.value + h};
}

Estimate sd_estimate(const Sample& s, const Confidence& confidence) {
  if (s.sampling().unit == 1) return sd_estimate(moments(s), confidence);
  if (!(s.sd() > 0)) return exactly(s.sd());
  const double variance = unbiased_variance(s), of_log = unit_variances(s).d / (4 * variance * variance);
  return log_interval(s.has_units() ? std::sqrt(variance) : s.sd(), half_width(s, of_log, confidence));
}

Estimate cv_estimate(const Sample& s, const Confidence& confidence) {
  if (s.sampling().unit == 1 || !(s.sd() > 0) || s.mean() == 0) return cv_estimate(moments(s), confidence);
  const double variance = unbiased_variance(s), m = s.mean();
  const UnitVariances v = unit_variances(s);
  const double of_log = v.d / (4 * variance * variance) - v.x_and_d / (variance * m) + v.x / (m * m);
  return log_interval((s.has_units() ? std::sqrt(variance) : s.sd()) / m, half_width(s, of_log, confidence));
}

Estimate proportion_estimate(const Sample& s, const Confidence& confidence) {
  if (s.count() == 0) return exactly(kNotKnown);
  const double p = s.mean(), n = static_cast<double>(s.count());
  const double of_mean = s.number_of_units() > 1 ? s.units().covariance(0, 0) / number_of_units(s) : 0;
  return proportion_interval(p, of_mean > 0 ? std::min(n, p * (1 - p) / of_mean) : n, confidence.level);
}

Estimate ratio_estimate(const Sample& numerator, const Sample& denominator, const Confidence& confidence) {
  const Confidence each = confidence_of_each_of_two(confidence);
  return ratio_of_intervals(mean_estimate(numerator, each), mean_estimate(denominator, each));
}

double ratio_half_width(const JointMoments& m, double value, const Confidence& confidence) {
  const double variance =
      m.covariance(0, 0) - 2 * value * m.covariance(0, 1) + value * value * m.covariance(1, 1);
  return student_quantile(m.count(), confidence) * std::sqrt(std::max(0.0, variance) / static_cast<double>(m.count())) /
         std::abs(m.mean(1));
}

}  // namespace nowsim
