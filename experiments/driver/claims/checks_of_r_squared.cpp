// The check that a straight line explains a part of the metric's variance.
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/claims/r_squared.hpp"
#include "sim/base/text.hpp"

namespace nowsim::checks {
namespace {

constexpr double kRoundingOfRSquared = 1e-12;  // R² so near to a bound is on it

/// sign·(R² - bound).
Estimate margin_of(const Estimate& r_squared, double bound, double sign) {
  const auto off = [&](double x) { return std::abs(x - bound) <= kRoundingOfRSquared ? 0 : sign * (x - bound); };
  const double a = off(r_squared.low), b = off(r_squared.high);
  return {off(r_squared.value), sign > 0 ? a : b, sign > 0 ? b : a};
}

/// " s per flop/s".
std::string unit_of_slope(const Claim& claim) {
  const std::string over = claim.over.empty() ? "" : unit_of(claim.over);
  return unit_of(claim.metric) + (over.empty() ? "" : " per" + over);
}

/// A comparison that stays open: points through which any line goes.
Comparison too_few(const Claim& claim, const Curve& curve) {
  const std::size_t points = curve.points.size();
  const Contrast count = Contrast().add(points < 3 ? static_cast<double>(points) : 1);
  return {Contrast().add(std::nan("")), true, count, "no R²" + in_brackets(curve.label) + " of only ",
          points >= 3 ? " value of " + claim.x_name() : points == 1 ? " point" : " points"};
}

void compare_r_squared(const Claim& claim, const Curve& curve, Comparisons& out, Figures& fits, Figures& slopes) {
  const Points& points = curve.points;
  if (points.size() < 3 || !has_two_x(points)) return out.push_back(too_few(claim, curve));
  const Quantified fit = [&points](double confidence) { return r_squared_interval(points, confidence); };
  const Contrast slope = slope_of(points);
  fits.push_back({curve.label, fit(claim.confidence)});
  slopes.push_back({curve.label, slope.interval(claim.confidence)});
  const auto keeps = [&](double bound, double sign, const std::string& side) {
    out.push_back({[=](double confidence) { return margin_of(fit(confidence), bound, sign); }, false, fit,
                   "R²" + in_brackets(curve.label) + " is ", ", " + side + " " + number_text(bound) + " claimed"});
  };
  if (claim.least) keeps(*claim.least, 1, "at least");
  if (claim.least)
    out.push_back({slope, true, slope, "the line" + in_brackets(curve.label) + " rises by ", unit_of_slope(claim)});
  if (claim.most) keeps(*claim.most, -1, "at most");
}

}  // namespace

ClaimResult r_squared(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  Figures fits, slopes;
  for (const auto& group : measured.groups)
    for (const auto& curve : group.curves) compare_r_squared(claim, curve, comparisons, fits, slopes);
  const std::string told = claim.metric + " over " + claim.x_name();
  Overview overview{told};
  if (!fits.empty()) {
    overview = overview_of(told + ": R²", fits, "");
    overview.sentence += ", slope " + span_of(slopes, unit_of_slope(claim));
    overview.figure = "R² " + overview.figure;
  }
  return of_all_points(result_of(claim, measured, overview, comparisons), measured);
}

}  // namespace nowsim::checks
