// Checks that look along a curve: it stays level, it rises, it falls, its values keep within bounds.
#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"

namespace nowsim::checks {
namespace {

using SameTest = bool (*)(const MeasuredPoint&, const MeasuredPoint&);

/// All pairs of a curve agree within the tolerance; those that are the same agree anyway.
void compare_pairs(const Claim& claim, double tolerance, const Curve& curve, Comparisons& out, SameTest same) {
  for (const auto& a : curve.points)
    for (const auto& b : curve.points) {
      if (&a == &b) continue;
      const std::string where_a = beside(curve.label, a.label);
      const Contrast margin = sum(allowance(tolerance, b), difference(b, a));
      if (!same(a, b))
        out.push_back(percent_above(margin, false, claim, where_a, b.label, a, b));
      else
        out.push_back({Contrast(),
                       false,
                       Contrast(),
                       claim.metric + " at " + where_a + " differs from that at " + b.label + " by ",
                       ", the same random numbers"});
    }
}

/// By how much a curve varies, as a figure.
void note_range(const Claim& claim, const Curve& curve, Figures& figures, SameTest same) {
  if (curve.points.empty()) return;
  const auto less = [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.estimate.value < b.estimate.value; };
  const auto [least, most] = std::minmax_element(curve.points.begin(), curve.points.end(), less);
  const Contrast range = same(*most, *least) ? Contrast() : difference(*most, *least);
  figures.push_back({curve.label, range.interval(claim.confidence)});
}

bool never(const MeasuredPoint&, const MeasuredPoint&) { return false; }

/// Whether all metrics of two points agree to the last bit, with intervals: both saw the same random numbers.
bool same_sample(const MeasuredPoint& a, const MeasuredPoint& b) {
  const auto equal = [](const Estimate& x, const Estimate& y) {
    return x.value == y.value && x.low == y.low && x.high == y.high;
  };
  const auto equal_lists = [&](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
  };
  const auto &all_a = a.row->estimates, &all_b = b.row->estimates;
  return a.row->replications == b.row->replications && a.row->replications > 1 &&
         std::equal(all_a.begin(), all_a.end(), all_b.begin(), all_b.end(), equal_lists);
}

ClaimResult check_pairs(const Claim& claim, const Tolerance& asked, const Summary& summary, SameTest same) {
  const std::string told = claim.metric + " varies along " + claim.along + " by";
  return for_each_curve(claim, summary, told, unit_of(claim.metric),
                        [&](const Curve& curve, auto& comparisons, auto& figures) {
                          note_range(claim, curve, figures, same);
                          compare_pairs(claim, asked.tolerance, curve, comparisons, same);
                        });
}

/// sign +1: rises; -1: falls.
void compare_steps(const Claim& claim, double tolerance, const Curve& curve, double sign, Comparisons& out) {
  const std::string unit = unit_of(claim.metric);
  const auto told = [&](const Contrast& margin, bool strict, const MeasuredPoint& a, const MeasuredPoint& b) {
    out.push_back({margin, strict, difference(b, a),
                   "from " + a.label + " to " + beside(curve.label, b.value) + " it changes by ", unit});
  };
  const Points& points = curve.points;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const Contrast change = difference(points[k + 1], points[k]).times(sign);
    told(sum(allowance(tolerance, points[k]), change), tolerance == 0, points[k], points[k + 1]);
  }
  if (points.size() > 2 || tolerance > 0)
    told(difference(points.back(), points.front()).times(sign), true, points.front(), points.back());
}

ClaimResult check_monotone(const Claim& claim, const Tolerance& asked, const Summary& summary, double sign) {
  const std::string told = claim.metric + (sign > 0 ? " rises in all by" : " falls in all by");
  return for_each_curve(
      claim, summary, told, unit_of(claim.metric), [&](const Curve& curve, auto& comparisons, auto& figures) {
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

ClaimResult check_values(const Claim& claim, const OpenBounds& asked, const Summary& summary) {
  const std::string unit = unit_of(claim.metric);
  const auto rule = [&](const Curve& curve, Comparisons& comparisons, Figures& figures) {
    for (const auto& p : curve.points) {
      const std::string where = beside(curve.label, p.label);
      figures.push_back({where, p.estimate});
      const Contrast value = Contrast().add(1, p);
      const auto compare = [&](double sign, double bound) {
        const Contrast margin = sum(value, Contrast().add(-bound)).times(sign);
        comparisons.push_back({margin, true, value, "at " + where + " it is ", unit});
      };
      if (asked.more_than) compare(1, *asked.more_than);
      if (asked.less_than) compare(-1, *asked.less_than);
    }
  };
  return for_each_curve(claim, summary, claim.metric + " is", unit, rule);
}

}  // namespace

/// y_i <= (1 + tolerance) y_j for all pairs of points of a curve.
CheckKind flat() {
  return {"flat", "the metric stays within a tolerance along an axis", {"along", "tolerance"}, {}, false,
          asking<Tolerance>(
              [](auto& claim, auto& asked, auto& summary) { return check_pairs(claim, asked, summary, never); })};
}

/// As flat; and points that agree in every metric to the last bit saw the same random numbers, and count as equal
/// without regard to their intervals.
CheckKind meet() {
  return {"meet", "the points along an axis agree", {"along", "tolerance"}, {}, false,
          asking<Tolerance>(
              [](auto& claim, auto& asked, auto& summary) { return check_pairs(claim, asked, summary, same_sample); })};
}

/// y_last > y_first, and every step y_(k+1) >= (1 - tolerance) y_k; without a tolerance every step rises.
CheckKind increasing() {
  return {"increasing", "every step along an axis rises", {"along"}, {"tolerance"}, true,
          asking<Tolerance>(
              [](auto& claim, auto& asked, auto& summary) { return check_monotone(claim, asked, summary, 1); })};
}

/// As increasing, of falling.
CheckKind decreasing() {
  return {"decreasing", "every step along an axis falls", {"along"}, {"tolerance"}, true,
          asking<Tolerance>(
              [](auto& claim, auto& asked, auto& summary) { return check_monotone(claim, asked, summary, -1); })};
}

/// more_than < y < less_than, everywhere: a value without error that is exactly on one of these bounds is not within.
CheckKind values_between() {
  return {"values_between", "every value is within bounds", {"along"}, {"more_than", "less_than"}, false,
          asking<OpenBounds>(check_values)};
}

}  // namespace nowsim::checks
