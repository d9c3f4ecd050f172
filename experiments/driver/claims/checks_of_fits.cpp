// Checks that fit a line: straight, through 0, or of logarithms; and how well a straight one fits.
#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim::checks {
namespace {

/// Coefficients that turn y into the slope of the least-squares line over x.
std::vector<double> slope_weights(const std::vector<double>& x) {
  const double n = static_cast<double>(x.size());
  double mean = 0, square = 0;
  for (const double v : x) mean += v / n;
  for (const double v : x) square += (v - mean) * (v - mean);
  std::vector<double> weights;
  for (const double v : x) weights.push_back((v - mean) / square);
  return weights;
}

LinearCombination combined(const std::vector<double>& weights, const Points& points) {
  LinearCombination out;
  for (std::size_t k = 0; k < points.size(); ++k) out.add(weights[k], points[k]);
  return out;
}

std::vector<double> x_of(const Points& points) {
  std::vector<double> x;
  for (const auto& p : points) x.push_back(p.x);
  return x;
}

/// Whether two points differ in x, by which they are sorted.
bool has_two_x(const Points& points) { return !points.empty() && points.back().x > points.front().x; }

/// The least-squares line's slope over the points' x, of which two at least differ.
LinearCombination slope_of(const Points& points) { return combined(slope_weights(x_of(points)), points); }

/// |off| <= tolerance·reference, both linear combinations: one comparison per side.
void compare_with_line(const Claim& claim, double tolerance, const std::string& point, const LinearCombination& off,
                       const LinearCombination& reference, const std::string& of, Comparisons& out) {
  const double size = std::abs(reference.interval(claim.confidence).value);
  const LinearCombination shown = size > 0 ? off.times(100 / size) : off;
  const std::string unit = size > 0 ? " %" : unit_of(claim.metric), after = size > 0 ? " of " + of : "";
  for (const double sign : {1.0, -1.0})
    out.push_back({sum(reference.times(tolerance), off.times(sign)), false, shown,
                   "at " + point + " it is off the line by ", unit, after});
}

void compare_linear(const Claim& claim, const Tolerance& asked, const Curve& curve, Comparisons& out,
                    LabelledEstimates& figures) {
  const Points& points = curve.points;
  if (points.size() < 3 || !has_two_x(points)) return;
  const std::vector<double> x = x_of(points);
  const LinearCombination slope = slope_of(points);
  const LinearCombination rise = slope.times(x.back() - x.front());
  const double n = static_cast<double>(x.size());
  const LinearCombination mean = combined(std::vector<double>(x.size(), 1 / n), points);
  double centre = 0;
  for (const double v : x) centre += v / n;
  figures.push_back({curve.label, rise.interval(claim.confidence)});
  out.push_back({rise, true, rise, "the line rises by ", unit_of(claim.metric), in_brackets(curve.label)});
  for (const auto& p : points) {
    const LinearCombination off = sum(sum(LinearCombination().add(1, p), mean.times(-1)), slope.times(centre - p.x));
    compare_with_line(claim, asked.tolerance, beside(curve.label, p.label), off, rise, "its rise", out);
  }
}

void compare_proportional(const Claim& claim, const Tolerance& asked, const Curve& curve, Comparisons& out,
                          LabelledEstimates& figures) {
  double squares = 0, smallest = kInfinity;
  std::size_t positive = 0;
  for (const auto& p : curve.points) {
    squares += p.x * p.x;
    if (p.x > 0) smallest = std::min(smallest, p.x), ++positive;
  }
  if (positive < 2 || curve.points.front().x < 0) return;
  LinearCombination slope;
  for (const auto& p : curve.points) slope.add(p.x / squares, p);
  const LinearCombination top = slope.times(curve.points.back().x);
  figures.push_back({beside(curve.label, curve.points.back().label), top.interval(claim.confidence)});
  out.push_back({top, true, top, "the line through 0 rises to ", unit_of(claim.metric), in_brackets(curve.label)});
  for (const auto& p : curve.points) {
    const LinearCombination off = sum(LinearCombination().add(1, p), slope.times(-p.x));
    const bool at_zero = p.x == 0;
    compare_with_line(claim, asked.tolerance, beside(curve.label, p.label), off, slope.times(at_zero ? smallest : p.x),
                      at_zero ? "the line at " + claim.x_name() + " = " + number_text(smallest) : "the line", out);
  }
}

struct PowerLaw : ClaimedBounds {
  explicit PowerLaw(Reader& read) : ClaimedBounds(read), above_first(read.flag("above_first")) {}
  bool above_first;  ///< of the rise over the first point
};

/// The quantities of a power law: the points behind the first less the first, or all points.
std::vector<LinearCombination> power_law_terms(bool above_first, const Points& points) {
  std::vector<LinearCombination> out;
  for (std::size_t k = above_first ? 1 : 0; k < points.size(); ++k)
    out.push_back(above_first ? difference(points[k], points[0]) : LinearCombination().add(1, points[k]));
  return out;
}

/// The exponent as a contrast: linear in the estimates near their values (delta method).
LinearCombination exponent(const std::vector<double>& log_x, const std::vector<LinearCombination>& y) {
  const auto weights = slope_weights(log_x);
  LinearCombination out;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double value = y[k].interval(0.95).value;
    out.add(y[k].times(weights[k] / value)).add(weights[k] * (portable::log(value) - 1));
  }
  return out;
}

/// Whether all have logarithms, being clearly above 0; if not, a comparison that stays open says so.
bool have_logarithms(const Claim& claim, const Curve& curve, const std::vector<LinearCombination>& y, Comparisons& out) {
  const std::size_t skipped = curve.points.size() - y.size();
  for (std::size_t k = 0; k < y.size(); ++k) {
    const MeasuredPoint& p = curve.points[k + skipped];
    if (p.x > 0 && y[k].interval(claim.confidence).low > 0) continue;
    const LinearCombination unknown = LinearCombination().add(std::nan(""));
    out.push_back({unknown, true, y[k], "no exponent: at " + beside(curve.label, p.label) + " there is ",
                   unit_of(claim.metric), ", not clearly above 0"});
    return false;
  }
  return true;
}

void compare_exponent(const Claim& claim, const PowerLaw& asked, const Curve& curve, Comparisons& out,
                      LabelledEstimates& figures) {
  const auto y = power_law_terms(asked.above_first, curve.points);
  if (y.size() < 3 || !(curve.points.back().x > curve.points[curve.points.size() - y.size()].x)) return;
  if (!have_logarithms(claim, curve, y, out)) return;
  std::vector<double> log_x;
  for (std::size_t k = curve.points.size() - y.size(); k < curve.points.size(); ++k)
    log_x.push_back(portable::log(curve.points[k].x));
  const LinearCombination fitted = exponent(log_x, y);
  figures.push_back({curve.label, fitted.interval(claim.confidence)});
  const auto told = [&](const LinearCombination& margin, double bound, const std::string& side) {
    out.push_back({margin, false, fitted, "the exponent" + in_brackets(curve.label) + " is ",
                   "", ", " + side + " " + short_number(bound) + " claimed"});
  };
  if (asked.least) told(sum(fitted, LinearCombination().add(-*asked.least)), *asked.least, "at least");
  if (asked.most) told(sum(fitted.times(-1), LinearCombination().add(*asked.most)), *asked.most, "at most");
}

/// What a curve adds, of a claim and what it asks.
template <class Asked>
CurveRule bound(void (*compare)(const Claim&, const Asked&, const Curve&, Comparisons&, LabelledEstimates&), const Claim& claim,
                const Asked& asked) {
  return [=, &claim, &asked](const Curve& curve, Comparisons& out, LabelledEstimates& figures) {
    compare(claim, asked, curve, out, figures);
  };
}

ClaimResult fitted(const Claim& claim, const ResultTable& summary, const std::string& told, const std::string& unit,
                   const CurveRule& rule) {
  const Measured measured = measure(claim, summary);
  return of_all_points(for_each_curve(claim, measured, told, unit, rule), measured);
}

ClaimResult check_line(const Claim& claim, const Tolerance& asked, const ResultTable& summary) {
  return fitted(claim, summary, "the line fitted to " + claim.metric + " rises by", unit_of(claim.metric),
                bound(compare_linear, claim, asked));
}

ClaimResult check_line_through_0(const Claim& claim, const Tolerance& asked, const ResultTable& summary) {
  return fitted(claim, summary, "the line through 0 fitted to " + claim.metric + " rises to", unit_of(claim.metric),
                bound(compare_proportional, claim, asked));
}

ClaimResult check_power_law(const Claim& claim, const PowerLaw& asked, const ResultTable& summary) {
  const std::string what = asked.above_first ? "the rise of " + claim.metric + " over the first point" : claim.metric;
  return fitted(claim, summary, what + " follows " + claim.x_name() + " with an exponent of", "",
                bound(compare_exponent, claim, asked));
}

// ---- how well a line fits ----------------------------------------------------------------------------------------

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
  const LinearCombination count = LinearCombination().add(points < 3 ? static_cast<double>(points) : 1);
  return {LinearCombination().add(std::nan("")), true, count, "no R²" + in_brackets(curve.label) + " of only ", "",
          points >= 3 ? " value of " + claim.x_name() : points == 1 ? " point" : " points"};
}

void compare_r_squared(const Claim& claim, const ClaimedBounds& asked, const Curve& curve, Comparisons& out,
                       LabelledEstimates& fits, LabelledEstimates& slopes) {
  const Points& points = curve.points;
  if (points.size() < 3 || !has_two_x(points)) return out.push_back(too_few(claim, curve));
  const Quantified fit = [&points](double confidence) { return r_squared_interval(points, confidence); };
  const LinearCombination slope = slope_of(points);
  fits.push_back({curve.label, fit(claim.confidence)});
  slopes.push_back({curve.label, slope.interval(claim.confidence)});
  const auto keeps = [&](double bound, double sign, const std::string& side) {
    out.push_back({[=](double confidence) { return margin_of(fit(confidence), bound, sign); }, false, fit,
                   "R²" + in_brackets(curve.label) + " is ", "", ", " + side + " " + number_text(bound) + " claimed"});
  };
  if (asked.least) keeps(*asked.least, 1, "at least");
  if (asked.least)
    out.push_back({slope, true, slope, "the line" + in_brackets(curve.label) + " rises by ", unit_of_slope(claim)});
  if (asked.most) keeps(*asked.most, -1, "at most");
}

ClaimResult check_r_squared(const Claim& claim, const ClaimedBounds& asked, const ResultTable& summary) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  LabelledEstimates fits, slopes;
  for (const Curve* curve : measured.curves()) compare_r_squared(claim, asked, *curve, comparisons, fits, slopes);
  const std::string told = claim.metric + " over " + claim.x_name();
  std::string overview = told;
  if (!fits.empty())
    overview = overview_of(told + ": R²", fits, "") + ", slope " + span_of(slopes, unit_of_slope(claim));
  return of_all_points(result_of(claim, measured, overview, comparisons), measured);
}

}  // namespace

/// The least-squares line rises, and no point is off it by more than tolerance times its rise.
CheckKind linear() {
  return {"linear", "the metric rises in a straight line", {"along", "tolerance"}, {"over"}, true,
          asking<Tolerance>(check_line)};
}

/// The least-squares line through the origin rises, and no point is off it by more than tolerance of the line (at x = 0:
/// of the line at the smallest x > 0).
CheckKind proportional() {
  return {"proportional", "the metric rises in a straight line through 0", {"along", "tolerance"}, {"over"}, true,
          asking<Tolerance>(check_line_through_0)};
}

/// least <= exponent <= most, of the least-squares line of log y over log x; with above_first of y - y_first over the
/// points behind the first. By the delta method; y to be clearly above 0, else undecided.
CheckKind power_law() {
  return {"power_law", "the fitted exponent keeps within bounds", {"along"}, {"over", "least", "most", "above_first"},
          true, asking<PowerLaw>(check_power_law)};
}

/// least <= R² <= most, R² being the part of y's variance that the least-squares line explains, of curves of at least
/// three points and two different x; with `least` the line also has to rise: one that falls does not satisfy it.
CheckKind r_squared() {
  return {"r_squared", "a straight line explains a part of the metric's variance that keeps within bounds", {"along"},
          {"over", "least", "most"}, true, asking<ClaimedBounds>(check_r_squared)};
}

}  // namespace nowsim::checks
