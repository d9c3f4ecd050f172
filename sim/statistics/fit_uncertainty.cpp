// Sums of squares of contributions, between draws and within.
#include "sim/statistics/fit_uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/statistics/influence.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/quantiles.hpp"

namespace nowsim {
namespace {

double sum_of_squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return sum;
}

/// Of deviations from the mean of their draw, of entries of so many in a draw.
double squares_within(const std::vector<double>& entries, std::size_t in_draw) {
  double squares = 0;
  for (std::size_t first = 0; first < entries.size(); first += in_draw) {
    const std::size_t end = std::min(entries.size(), first + in_draw);
    double mean = 0;
    for (std::size_t k = first; k < end; ++k) mean += entries[k] / static_cast<double>(end - first);
    for (std::size_t k = first; k < end; ++k) squares += (entries[k] - mean) * (entries[k] - mean);
  }
  return squares;
}

/// As if all replications were independent.
double plain_variance(const Influence& influence) {
  const std::vector<double> d = influence.contributions(influence.span());
  return d.size() > 1 ? sum_of_squares(d) * (1 + 1 / static_cast<double>(d.size() - 1)) : 0;
}

/// The two ends as many times as far from the value.
Estimate stretched(const Estimate& e, double times, bool is_positive) {
  if (is_positive && e.low > 0)
    return {e.value, e.value * portable::pow(e.low / e.value, times), e.value * portable::pow(e.high / e.value, times),
            e.influence};
  return {e.value, e.value - times * (e.value - e.low), e.value + times * (e.high - e.value), e.influence};
}

Estimate with_variance(const Estimate& e, FitPart part, bool is_positive) {
  const auto variance = fit_variance(e);
  const double plain = plain_variance(*e.influence);
  if (!variance || !(plain > 0)) return e;
  const double known = part == FitPart::in_interval ? variance->all() : variance->of_replications;
  return stretched(e, std::sqrt(std::max(1.0, known / plain)), is_positive);
}

/// How many times the variance of a mean is what it were if replications within a draw were independent.
double design_effect(const Estimate& e) {
  const auto variance = fit_variance(e);
  const double plain = variance ? plain_variance(*e.influence) : 0;
  return plain > 0 ? std::max(1.0, variance->of_replications / plain) : 1;
}

Estimate proportion_with_fits(const Estimate& e, const Estimate& makespans, const Confidence& confidence) {
  const auto n = static_cast<double>(e.influence->replications());
  const auto variance = fit_variance(e);
  double trials = n / design_effect(makespans);
  if (variance && variance->of_replications > 0)
    trials = std::min(trials, e.value * (1 - e.value) / variance->of_replications);
  const Estimate interval = proportion_interval(e.value, std::max(1.0, trials), confidence.level);
  return {e.value, std::min(e.low, interval.low), std::max(e.high, interval.high), e.influence};
}

}  // namespace

std::optional<FitVariance> fit_variance(const Estimate& e) {
  if (!e.influence || e.influence->per_fit() == 0 || !e.influence->is_linear()) return std::nullopt;
  const Influence& influence = *e.influence;
  const std::uint64_t span = influence.span(), per_fit = influence.per_fit();
  const bool tells_within = span < per_fit && per_fit % span == 0;
  const std::vector<double> draws = influence.contributions(tells_within ? per_fit : span);
  if (draws.size() < 2) return std::nullopt;
  const double n = static_cast<double>(draws.size());
  const double between = sum_of_squares(draws) * n / (n - 1);
  if (!tells_within) return FitVariance{between, between * n};
  const std::vector<double> entries = influence.contributions(span);
  const double j = static_cast<double>(entries.size());
  const double within = j > n ? squares_within(entries, per_fit / span) / (j - n) * j : 0;
  return FitVariance{std::max(between, within), std::max(0.0, between - within) * n};
}

Estimate with_fits(const Estimate& e, std::uint64_t per_fit, FitPart part, const Estimate& makespans,
                   const Confidence& confidence) {
  if (!e.influence || per_fit == 0) return e;
  const Estimate seeing = with_influence(e, e.influence->seeing(per_fit));
  switch (e.influence->of()) {
    case Influence::Of::proportion:
      return proportion_with_fits(seeing, makespans, confidence);
    case Influence::Of::quantile:
      return with_influence(quantile_estimate(e.influence->values(), e.influence->share(), confidence, per_fit),
                            *seeing.influence);
    case Influence::Of::linear:
      break;
  }
  return with_variance(seeing, part, e.value > 0);
}

Estimate difference_with_fits(const Estimate& difference) {
  return difference.influence && difference.influence->is_linear() ? with_variance(difference, FitPart::in_interval, false) : difference;
}

}  // namespace nowsim
