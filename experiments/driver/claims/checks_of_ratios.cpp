// Checks of one estimate as a multiple of another: between two curves, and between a curve's ends.
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"
#include "sim/base/text.hpp"

namespace nowsim::checks {
namespace {

/// Whether what is divided by is clearly above 0; if not, a comparison that stays open says so.
bool can_divide_by(const Claim& claim, const MeasuredPoint& p, const std::string& where, Comparisons& out) {
  const Contrast value = Contrast().add(1, p);
  if (value.interval(claim.confidence).low > 0) return true;
  out.push_back({Contrast().add(std::nan("")), true, value, "no ratio: at " + where + " there is ",
                 unit_of(claim.metric) + ", not clearly above 0"});
  return false;
}

/// What is compared with the claim's bounds: the numerator over the denominator.
struct Ratio {
  Contrast numerator, denominator;
  Contrast shown;  ///< the ratio as it is told
  double scale;    ///< a bound's size as it is told
  std::string before, unit;
};

/// Numerator and bound times denominator, in place of the ratio, so that both comparisons are linear.
void compare_with_bounds(const Claim& claim, const Ratio& ratio, Comparisons& out) {
  const auto compare = [&](double bound, double sign, const std::string& side) {
    const Contrast margin = sum(ratio.numerator, ratio.denominator.times(-bound)).times(sign);
    out.push_back({margin, false, ratio.shown, ratio.before,
                   ratio.unit + ", " + side + " " + short_number(bound * ratio.scale) + ratio.unit + " claimed"});
  };
  if (claim.least) compare(*claim.least, 1, "at least");
  if (claim.most) compare(*claim.most, -1, "at most");
}

void compare_ratios(const Claim& claim, const Curve& higher, const Curve& lower, Comparisons& out, Figures& figures) {
  for (const auto& [high, low] : common_points(higher, lower)) {
    const std::string where = beside(higher.label, high->label);
    if (!can_divide_by(claim, *low, beside(lower.label, low->label), out)) continue;
    const Contrast shown = ratio(*high, *low);
    figures.push_back({where, shown.interval(claim.confidence)});
    compare_with_bounds(claim,
                        {Contrast().add(1, *high), Contrast().add(1, *low), shown, 1,
                         "at " + where + " it is that at " + lower.across + " times ", ""},
                        out);
  }
}

void compare_change(const Claim& claim, const Curve& curve, Comparisons& out, Figures& figures) {
  if (curve.points.size() < 2) return;
  const MeasuredPoint &first = curve.points.front(), &last = curve.points.back();
  if (!can_divide_by(claim, first, beside(curve.label, first.label), out)) return;
  const Contrast shown = sum(ratio(last, first), Contrast().add(-1)).times(100);
  figures.push_back({curve.label, shown.interval(claim.confidence)});
  compare_with_bounds(claim,
                      {difference(last, first), Contrast().add(1, first), shown, 100,
                       "from " + first.label + " to " + beside(curve.label, last.value) + " it changes by ", " %"},
                      out);
}

}  // namespace

ClaimResult ratio_between(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  Figures figures;
  for_each_pair(claim, measured, [&](const Curve& higher, const Curve& lower) {
    compare_ratios(claim, higher, lower, comparisons, figures);
  });
  const std::string told = claim.metric + " at " + claim.across + " = " + claim.higher + " is that at " + claim.lower;
  return result_of(claim, measured, overview_of(told + " times", figures, ""), comparisons);
}

ClaimResult change_between(const Claim& claim, const Summary& summary) {
  const std::string told = claim.metric + " changes along " + claim.along + " in all by";
  const Measured measured = measure(claim, summary);
  const auto compare = [&](const Curve& curve, auto& comparisons, auto& figures) {
    compare_change(claim, curve, comparisons, figures);
  };
  return of_all_points(for_each_curve(claim, measured, told, " %", compare), measured);  // an end may be missing
}

}  // namespace nowsim::checks
