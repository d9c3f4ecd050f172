// Sums of squares of contributions, between draws and within; and the quantiles of draws.
#include "sim/statistics/input_uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/statistics/parameter_steps.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

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

/// What draws contribute, or entries of several draws.
struct Draws {
  std::vector<double> contributions;
  double together = 1;  ///< draws in one of them
  double within = 0;    ///< the variance of the estimate that comes from within draws; 0 where that is not known

  [[nodiscard]] double count() const { return static_cast<double>(contributions.size()); }
};

/// So few draws do not tell how much of what lies between them came from within.
constexpr double kFewDraws = 16;

Draws draws_of(const Influence& influence) {
  const std::uint64_t span = influence.span, per_fit = influence.per_fit;
  if (span >= per_fit || per_fit % span != 0)
    return {influence.contributions(span), std::max(1.0, static_cast<double>(span) / static_cast<double>(per_fit)), 0};
  Draws draws{influence.contributions(per_fit), 1, 0};
  const std::vector<double> entries = influence.contributions(span);
  const double j = static_cast<double>(entries.size()), n = draws.count();
  if (n > kFewDraws) draws.within = squares_within(entries, per_fit / span) / (j - n) * j;
  return draws;
}

FitVariance variance_of(const Draws& draws) {
  const double n = draws.count(), squares = common_products(draws.contributions, draws.contributions);
  const double between = squares * n / (n - 1);
  return {std::max(between, draws.within), std::max(0.0, between - draws.within) * n * draws.together};
}

bool is_of_fits(const Estimate& e) { return e.influence && e.influence->per_fit > 0 && e.influence->is_linear(); }

std::optional<FitSteps::Pull> pull_of(const Estimate& e) {
  return e.influence->steps ? e.influence->steps->pull() : std::nullopt;
}

bool is_rounding(const Estimate& e, const FitVariance& variance) {
  return std::sqrt(variance.all()) <= kRoundingShare * std::abs(e.value);
}

/// Errors that move an estimate by more than this share of it do not do so along a line; but then draws tell them from
/// all else.
constexpr double kFarFromLine = 0.5;

/// Where steps do not tell: how far the estimate's value is from the two quantiles of what it may be by the draws;
/// their spread is that between draws alone.
struct Reach {
  double below, above;
};
Reach reach_of(const Draws& draws, const FitVariance& variance, double confidence) {
  const double n = draws.count(), beyond = 0.5 * (1 - confidence);
  const double t = student_quantile(static_cast<std::uint64_t>(n), confidence);
  if (n * beyond < 2) return {t * std::sqrt(variance.of_fit), t * std::sqrt(variance.of_fit)};
  const double of_all = variance_of({draws.contributions, draws.together, 0}).of_fit;
  std::vector<double> values = draws.contributions;
  const double scale = of_all > 0 ? n * std::sqrt(draws.together * variance.of_fit / of_all) : 0;
  for (double& v : values) v *= scale;
  std::ranges::sort(values);
  const auto at = [&](double share) { return values[quantile_rank(values.size(), share) - 1]; };
  return {std::max(0.0, -at(beyond)), std::max(0.0, at(1 - beyond))};
}

Estimate hull(const Estimate& e, const Estimate& interval) {
  return {e.value, std::min(e.low, interval.low), std::max(e.high, interval.high), e.influence};
}

Estimate with_reach(const Estimate& e, FitPart part, bool is_positive, const Confidence& confidence) {
  const Draws draws = draws_of(*e.influence);
  if (draws.count() < 2) return {e.value, kNotKnown, kNotKnown, e.influence};
  const FitVariance variance = variance_of(draws);
  if (is_rounding(e, variance)) return e;
  const double h = student_quantile(static_cast<std::uint64_t>(draws.count()), confidence) *
                   std::sqrt(variance.of_replications);
  if (part == FitPart::in_value && is_positive && e.low > 0) return hull(e, log_interval(e.value, h / e.value));
  if (part == FitPart::in_value) return hull(e, {e.value, e.value - h, e.value + h});
  if (const auto pull = pull_of(e)) {
    const double reach =
        student_quantile_above(pull->freedom, 0.5 * (1 - confidence.level)) * std::sqrt(pull->variance);
    const double off = portable::hypot(reach, h), centre = e.value - pull->lean;
    if (!is_positive) return hull(e, {centre, centre - off, centre + off});
    if (off < kFarFromLine * centre) return hull(e, log_interval(centre, off / centre));
  }
  const Reach reach = reach_of(draws, variance, confidence.level);
  const double below = portable::hypot(reach.below, h);
  const double low = is_positive && e.value > 0 ? e.value * portable::exp(-below / e.value) : e.value - below;
  return hull(e, {e.value, low, e.value + portable::hypot(reach.above, h)});
}

/// How many times the variance of a mean is what it were if replications within a draw were independent.
double design_effect(const Estimate& e) {
  if (!is_of_fits(e)) return 1;
  const Draws draws = draws_of(*e.influence);
  if (draws.count() < 2) return static_cast<double>(e.influence->per_fit);
  const FitVariance variance = variance_of(draws);
  if (is_rounding(e, variance)) return 1;
  // Of one replication: that between draws, and within.
  const double n = static_cast<double>(e.influence->replications);
  const double within = draws.within * n, between = variance.of_fit;
  if (!(within > 0)) return static_cast<double>(e.influence->per_fit);
  return std::max(1.0, variance.of_replications * n / (within + between));
}

Estimate proportion_with_fits(const Estimate& e, const Estimate& makespans, const Confidence& confidence) {
  const auto n = static_cast<double>(e.influence->replications);
  double trials = n / design_effect(makespans);
  if (const auto variance = fit_variance(e); variance && variance->of_replications > 0)
    trials = std::min(trials, e.value * (1 - e.value) / variance->of_replications);
  return hull(e, proportion_interval(e.value, std::max(1.0, trials), confidence.level));
}

}  // namespace

std::optional<FitVariance> fit_variance(const Estimate& e) {
  if (!is_of_fits(e)) return std::nullopt;
  const Draws draws = draws_of(*e.influence);
  if (draws.count() < 2) return std::nullopt;
  FitVariance variance = variance_of(draws);
  if (const auto pull = pull_of(e)) variance.of_fit = pull->variance, variance.lean = pull->lean;
  return is_rounding(e, variance) ? std::nullopt : std::optional(variance);
}

Estimate with_fits(const Estimate& e, std::uint64_t per_fit, FitPart part, bool is_positive, const Estimate& makespans,
                   const Confidence& confidence) {
  if (!e.influence || per_fit == 0) return e;
  const bool is_mean = e.influence->of == Influence::Of::linear;
  const Estimate seeing = with_influence(e, e.influence->seeing(per_fit, is_mean ? part : FitPart::in_value));
  if (is_mean) return with_reach(seeing, part, is_positive, confidence);
  if (e.influence->of == Influence::Of::proportion) return proportion_with_fits(seeing, makespans, confidence);
  return with_influence(quantile_estimate(*e.influence->values, e.influence->factor, confidence, per_fit),
                        *seeing.influence);
}

Estimate combined_with_fits(const Estimate& e, const Confidence& confidence) {
  return is_of_fits(e) ? with_reach(e, e.influence->fit_part, false, confidence) : e;
}

}  // namespace nowsim
