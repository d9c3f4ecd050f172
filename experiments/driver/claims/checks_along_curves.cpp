// Checks that look along a curve: it stays level, it rises, it falls, its values keep within bounds.
#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"

namespace nowsim::checks {
namespace {

/// All pairs of a curve agree within the tolerance.
void compare_pairs(const Claim& claim, double tolerance, const Curve& curve, Comparisons& out) {
  for (const auto& a : curve.points)
    for (const auto& b : curve.points) {
      if (&a == &b) continue;
      const LinearCombination margin = sum(allowance(tolerance, b), difference(b, a));
      out.push_back(percent_above(margin, false, claim, beside(curve.label, a.label), b.label, a, b));
    }
}

/// By how much a curve varies, as a figure.
void note_range(const Claim& claim, const Curve& curve, LabelledEstimates& figures) {
  if (curve.points.empty()) return;
  const auto less = [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.estimate.value < b.estimate.value; };
  const auto [least, most] = std::minmax_element(curve.points.begin(), curve.points.end(), less);
  figures.push_back({curve.label, difference(*most, *least).interval(claim.confidence)});
}

ClaimResult check_pairs(const Claim& claim, const Tolerance& asked, const ResultTable& summary) {
  const std::string told = claim.metric + " varies along " + claim.along + " by";
  return for_each_curve(claim, measure(claim, summary), told, unit_of(claim.metric),
                        [&](const Curve& curve, auto& comparisons, auto& figures) {
                          note_range(claim, curve, figures);
                          compare_pairs(claim, asked.tolerance, curve, comparisons);
                        });
}

/// sign +1: rises; -1: falls.
void compare_steps(const Claim& claim, double tolerance, const Curve& curve, double sign, Comparisons& out) {
  const std::string unit = unit_of(claim.metric);
  const auto told = [&](const LinearCombination& margin, bool strict, const MeasuredPoint& a, const MeasuredPoint& b) {
    out.push_back({margin, strict, difference(b, a),
                   "from " + a.label + " to " + beside(curve.label, b.value) + " it changes by ", unit});
  };
  const Points& points = curve.points;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const LinearCombination change = difference(points[k + 1], points[k]).times(sign);
    told(sum(allowance(tolerance, points[k]), change), tolerance == 0, points[k], points[k + 1]);
  }
  if (points.size() > 2 || tolerance > 0)
    told(difference(points.back(), points.front()).times(sign), true, points.front(), points.back());
}

template <int sign>
ClaimResult check_monotone(const Claim& claim, const Tolerance& asked, const ResultTable& summary) {
  const std::string told = claim.metric + (sign > 0 ? " rises in all by" : " falls in all by");
  return for_each_curve(
      claim, measure(claim, summary), told, unit_of(claim.metric), [&](const Curve& curve, auto& comparisons, auto& figures) {
        if (curve.points.size() < 2) return;
        figures.push_back(
            {curve.label,
             difference(curve.points.back(), curve.points.front()).times(sign).interval(claim.confidence)});
        compare_steps(claim, asked.tolerance, curve, sign, comparisons);
      });
}

/// Of the metric, in its unit: one at the least.
struct OpenBounds {
  explicit OpenBounds(Reader& read)
      : more_than(number_if_given(read, "more_than")), less_than(number_if_given(read, "less_than")) {
    need_either(read, "more_than", "less_than");
  }
  std::optional<double> more_than, less_than;
};

ClaimResult check_values(const Claim& claim, const OpenBounds& asked, const ResultTable& summary) {
  const std::string unit = unit_of(claim.metric);
  const auto rule = [&](const Curve& curve, Comparisons& comparisons, LabelledEstimates& figures) {
    for (const auto& p : curve.points) {
      const std::string where = beside(curve.label, p.label);
      figures.push_back({where, p.estimate});
      const LinearCombination value = LinearCombination().add(1, p);
      const auto compare = [&](double sign, double bound) {
        const LinearCombination margin = sum(value, LinearCombination().add(-bound)).times(sign);
        comparisons.push_back({margin, true, value, "at " + where + " it is ", unit});
      };
      if (asked.more_than) compare(1, *asked.more_than);
      if (asked.less_than) compare(-1, *asked.less_than);
    }
  };
  return for_each_curve(claim, measure(claim, summary), claim.metric + " is", unit, rule);
}

}  // namespace

/// y_i <= (1 + tolerance) y_j for all pairs of points of a curve.
CheckKind flat() {
  return {"flat", "the metric stays within a tolerance along an axis", {"along", "tolerance"}, {}, false,
          asking<Tolerance>(check_pairs)};
}

/// The same in other words. Points that saw the same random numbers and do the same agree exactly.
CheckKind meet() {
  return {"meet", "the points along an axis agree", {"along", "tolerance"}, {}, false, asking<Tolerance>(check_pairs)};
}

/// y_last > y_first, and every step y_(k+1) >= (1 - tolerance) y_k; without a tolerance every step rises.
CheckKind increasing() {
  return {"increasing", "every step along an axis rises", {"along"}, {"tolerance"}, true,
          asking<Tolerance>(check_monotone<1>)};
}

/// As increasing, of falling.
CheckKind decreasing() {
  return {"decreasing", "every step along an axis falls", {"along"}, {"tolerance"}, true,
          asking<Tolerance>(check_monotone<-1>)};
}

/// more_than < y < less_than, everywhere: a value without error that is exactly on one of these bounds is not within.
CheckKind values_between() {
  return {"values_between", "every value is within bounds", {"along"}, {"more_than", "less_than"}, false,
          asking<OpenBounds>(check_values)};
}

}  // namespace nowsim::checks
