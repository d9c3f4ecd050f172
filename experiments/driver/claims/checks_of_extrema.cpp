// Checks of a curve's highest or lowest point: that it lies inside, where it lies, how high it is.
#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"

namespace nowsim::checks {
namespace {

// ---- that it lies between the ends -------------------------------------------------------------------------------

/// One curve's verdict, with the best inner point told; sign +1: a peak, -1: a dip; `curves` share the error.
ClaimResult judge_extremum(const Claim& claim, const Curve& curve, double sign, std::size_t curves) {
  const Points& p = curve.points;
  if (p.size() < 3) return {Verdict::undecided, "there are too few points" + in_brackets(curve.label)};
  const auto beyond = [&](std::size_t k, const MeasuredPoint& end, double confidence) {
    return difference(p[k], end).times(sign).interval(confidence);
  };
  const MeasuredPoint& best_end =
      sign * p.front().estimate.value > sign * p.back().estimate.value ? p.front() : p.back();
  const double chosen = bonferroni(p.size() - 2, claim.confidence), denied = bonferroni(2 * curves, claim.confidence);
  std::size_t best = 1;
  bool all_denied = true;
  for (std::size_t k = 1; k + 1 < p.size(); ++k) {
    if (sign * p[k].estimate.value > sign * p[best].estimate.value) best = k;
    all_denied = all_denied && beyond(k, best_end, denied).high <= 0;
  }
  const Estimate first = beyond(best, p.front(), chosen), last = beyond(best, p.back(), chosen);
  const std::string unit = unit_of(claim.metric), side = sign > 0 ? " above " : " below ";
  const std::string told = claim.metric + " is " + (sign > 0 ? "highest" : "lowest") + " inside at " +
                           beside(curve.label, p[best].label) + ": " + quantity_text(p[best].estimate, unit) + ", " +
                           quantity_text(first, unit) + side + p.front().label + " and " + quantity_text(last, unit) +
                           side + p.back().label;
  const std::string figure = figure_at(p[best].estimate, unit, beside(curve.label, p[best].label));
  if (first.low > 0 && last.low > 0) return {Verdict::reproduced, told, figure};
  return {all_denied ? Verdict::not_reproduced : Verdict::undecided, told, figure};
}

template <int sign>
ClaimResult check_extremum(const Claim& claim, const ResultTable& summary) {
  return judge_each_curve(measure(claim, summary), [&](const Curve& curve, std::size_t curves) {
    return judge_extremum(claim, curve, sign, curves);
  });
}

// ---- where it lies -----------------------------------------------------------------------------------------------

/// A range of x.
struct Range {
  double least = -kInfinity, most = kInfinity;
  [[nodiscard]] bool has(double x) const {
    const double slack = 1e-9 * std::max(1.0, std::abs(x));  // values of an axis may be rounded sums
    return x >= least - slack && x <= most + slack;
  }
};

using PointList = std::vector<const MeasuredPoint*>;

const MeasuredPoint& best_of(const PointList& points, double sign) {
  return **std::ranges::max_element(points, {}, [sign](const MeasuredPoint* p) { return sign * p->estimate.value; });
}

/// The least amount by which `best` is beyond all of `others`, at a confidence.
Estimate lead(const MeasuredPoint& best, const PointList& others, double sign, double confidence) {
  Estimate least{kInfinity, kInfinity, kInfinity};
  for (const MeasuredPoint* other : others) {
    const Estimate e = difference(best, *other).times(sign).interval(confidence);
    if (std::isnan(e.low)) return e;
    if (e.low < least.low) least = e;
  }
  return least;
}

/// One curve's verdict on its extremum lying in a range; sign +1: the highest point, -1: the lowest.
ClaimResult judge_location(const Claim& claim, const Curve& curve, double sign, const Range& range, std::size_t curves) {
  PointList inside, outside;
  for (const auto& p : curve.points) (range.has(p.x) ? inside : outside).push_back(&p);
  if (inside.empty() || outside.empty())
    return {Verdict::undecided,
            std::string(inside.empty() ? "no" : "every") + " point lies there" + in_brackets(curve.label)};
  const MeasuredPoint &in = best_of(inside, sign), &out = best_of(outside, sign);
  const Estimate shown = lead(in, outside, sign, bonferroni(inside.size(), claim.confidence));
  const Estimate denied = lead(out, inside, sign, bonferroni(outside.size() * curves, claim.confidence));
  const bool is_inside = sign * in.estimate.value > sign * out.estimate.value;
  const MeasuredPoint& best = is_inside ? in : out;
  const std::string unit = unit_of(claim.metric);
  const std::string told = claim.metric + " is " + (sign > 0 ? "highest" : "lowest") + " at " +
                           beside(curve.label, best.label) + ": " + quantity_text(best.estimate, unit) + ", " +
                           quantity_text(is_inside ? shown : denied, unit) + (sign > 0 ? " above" : " below") +
                           " all that lie " + (is_inside ? "elsewhere" : "where it should");
  const std::string figure = figure_at(best.estimate, unit, beside(curve.label, best.label));
  if (shown.low > 0) return {Verdict::reproduced, told, figure};
  return {denied.low > 0 ? Verdict::not_reproduced : Verdict::undecided, told, figure};
}

/// range(curve): where its extremum should be.
template <class RangeOf>
ClaimResult check_locations(const Claim& claim, const ResultTable& summary, double sign, RangeOf range) {
  return judge_each_curve(measure(claim, summary), [&](const Curve& curve, std::size_t curves) {
    return judge_location(claim, curve, sign, range(curve), curves);
  });
}

template <int sign>
ClaimResult check_bounded_location(const Claim& claim, const ClaimedBounds& asked, const ResultTable& summary) {
  return check_locations(claim, summary, sign, [&](const Curve&) {
    return Range{asked.least.value_or(-kInfinity), asked.most.value_or(kInfinity)};
  });
}

/// Where on a curve another metric is lowest; NaN where it has no value.
double location_of_minimum(const Curve& curve, std::size_t metric) {
  double location = std::nan(""), least = kInfinity;
  for (const auto& p : curve.points)
    if (const double y = p.row->estimates[metric].front().value; y < least) {
      least = y;
      location = p.x;
    }
  return location;
}

struct NearMinimum {
  explicit NearMinimum(Reader& read) : other(read.text("other")), within(read.value("within")) {}
  std::string other;  ///< the metric whose minimum it is
  double within;      ///< in the unit of `along`
};

template <int sign>
ClaimResult check_near_minimum(const Claim& claim, const NearMinimum& asked, const ResultTable& summary) {
  const std::size_t other = summary.metric_index(asked.other);
  return check_locations(claim, summary, sign, [&](const Curve& curve) {
    const double location = location_of_minimum(curve, other);
    return Range{location - asked.within, location + asked.within};
  });
}

PointList points_of(const Curve& curve) {
  PointList all;
  for (const auto& p : curve.points) all.push_back(&p);
  return all;
}

// ---- how high it is ----------------------------------------------------------------------------------------------

/// By how much one curve's highest point is above another's. Both were picked by the numbers that they are compared by:
/// for the lower end the first is above every point of the other at a confidence that is shared by all that could have
/// been picked in its place; for the upper end the second likewise.
Quantified rise_of_peak(const PointList& from, const PointList& to) {
  return [=](double confidence) {
    const MeasuredPoint &before = best_of(from, 1), &peak = best_of(to, 1);
    return Estimate{peak.estimate.value - before.estimate.value,
                    lead(peak, from, 1, bonferroni(to.size(), confidence)).low,
                    -lead(before, to, 1, bonferroni(from.size(), confidence)).low};
  };
}

ClaimResult check_peaks_rise(const Claim& claim, const AcrossAxis& asked, const ResultTable& summary) {
  const Measured measured = measure(claim, summary, asked.across);
  const std::string unit = unit_of(claim.metric);
  Comparisons comparisons;
  LabelledEstimates figures;
  for (const auto& group : measured.groups)
    for (std::size_t k = 0; k < group.size(); ++k) {
      const PointList points = points_of(group[k]);
      if (points.empty()) continue;
      figures.push_back({group[k].label, best_of(points, 1).estimate});
      const PointList before = k > 0 ? points_of(group[k - 1]) : PointList{};
      if (before.empty()) continue;
      const Quantified rise = rise_of_peak(before, points);
      const std::string before_it = "from " + group[k - 1].label + " to " + group[k].across;
      comparisons.push_back({rise, true, rise, before_it + " the peak rises by ", unit});
    }
  const std::string told = "the peak of " + claim.metric + " along " + claim.along + " is";
  return result_of(claim, measured, overview_of(told, figures, unit), comparisons);
}

using Estimates = std::vector<Estimate>;

/// How far each point is above a bound.
Estimates intervals_above(double bound, const Curve& curve, double confidence) {
  Estimates out;
  for (const auto& p : curve.points) out.push_back(LinearCombination().add(1, p).add(-bound).interval(confidence));
  return out;
}

/// How many comparisons a claim makes: `most` with every point, `least` with the highest of each curve.
std::size_t count_comparisons(const ClaimedBounds& asked, const Measured& measured) {
  std::size_t count = 0;
  for (const Curve* curve : measured.curves()) count += (asked.most ? curve->points.size() : 0) + (asked.least ? 1 : 0);
  return count;
}

/// A value and its bounds, all in one unit.
std::string told_with_bounds(const Estimate& value, const ClaimedBounds& asked, const std::string& unit) {
  const double largest =
      std::max({std::abs(value.value), std::abs(asked.least.value_or(0)), std::abs(asked.most.value_or(0))});
  const ToldUnit in = told_unit(largest, unit);
  const std::string least = asked.least ? ", at least " + short_number(*asked.least / in.size) : "";
  const std::string most =
      asked.most ? (asked.least ? " and at most " : ", at most ") + short_number(*asked.most / in.size) : "";
  return quantity_text(value, in) + least + most + in.name + " claimed";
}

/// One curve's verdict, its highest point told; `comparisons` share the error.
ClaimResult judge_maximum(const Claim& claim, const ClaimedBounds& asked, const Curve& curve, std::size_t comparisons,
                        bool complete) {
  const double joint = bonferroni(comparisons, claim.confidence),
               chosen = bonferroni(curve.points.size(), claim.confidence);
  const Estimates each = intervals_above(0, curve, claim.confidence);
  const auto best = std::ranges::max_element(each, {}, &Estimate::value) - each.begin();
  const MeasuredPoint& peak = curve.points[static_cast<std::size_t>(best)];
  const bool below = !asked.most || std::ranges::all_of(intervals_above(*asked.most, curve, claim.confidence),
                                                        [](const Estimate& e) { return e.high <= 0; });
  const bool above = !asked.least || LinearCombination().add(1, peak).add(-*asked.least).interval(chosen).low >= 0;
  const std::string told = claim.metric + " is highest at " + beside(curve.label, peak.label) + ": " +
                           told_with_bounds(each[static_cast<std::size_t>(best)], asked, unit_of(claim.metric));
  const std::string figure = figure_at(each[static_cast<std::size_t>(best)], unit_of(claim.metric),
                                       beside(curve.label, peak.label));
  if (below && above) return {Verdict::reproduced, told, figure};
  const bool too_high = asked.most && std::ranges::any_of(intervals_above(*asked.most, curve, joint),
                                                          [](const Estimate& e) { return e.low > 0; });
  const bool too_low =
      asked.least && complete &&
      std::ranges::all_of(intervals_above(*asked.least, curve, joint), [](const Estimate& e) { return e.high < 0; });
  return {too_high || too_low ? Verdict::not_reproduced : Verdict::undecided, told, figure};
}

ClaimResult check_maximum(const Claim& claim, const ClaimedBounds& asked, const ResultTable& summary) {
  const Measured measured = measure(claim, summary);
  const std::size_t comparisons = count_comparisons(asked, measured);
  return judge_each_curve(measured, [&](const Curve& curve, std::size_t) {
    return judge_maximum(claim, asked, curve, comparisons, measured.missing == 0);
  });
}

}  // namespace

/// Some point between the first and the last is above both. Reproduced if the best of k inner points is beyond both
/// ends at confidence 1 - (1 - c)/k (it was chosen among k); not reproduced if on some of s curves every inner point is
/// beyond the ends to the wrong side, at 1 - (1 - c)/(2 s) (which end was chosen).
CheckKind peak_inside() {
  return {"peak_inside", "the maximum lies inside the range", {"along"}, {}, true,
          asking_nothing(check_extremum<1>)};
}

/// Some point between the first and the last is below both; otherwise as peak_inside.
CheckKind falls_then_rises() {
  return {"falls_then_rises", "the minimum lies inside the range", {"along"}, {}, true,
          asking_nothing(check_extremum<-1>)};
}

/// The lowest point lies at least <= x <= most. Reproduced if the best of k points inside the bounds is beyond all
/// outside, at 1 - (1 - c)/k; not reproduced if on some of s curves the best of k outside is beyond all inside, at
/// 1 - (1 - c)/(k s).
CheckKind minimum_between() {
  return {"minimum_between", "the minimum lies between bounds on an axis", {"along"}, {"least", "most"}, true,
          asking<ClaimedBounds>(check_bounded_location<-1>)};
}

/// As minimum_between, of the highest point.
CheckKind maximum_between() {
  return {"maximum_between", "the maximum lies between bounds on an axis", {"along"}, {"least", "most"}, true,
          asking<ClaimedBounds>(check_bounded_location<1>)};
}

/// The lowest point lies no further than `within` from that of the metric `other`, taken as it is; shown and denied as
/// minimum_between.
CheckKind minima_agree() {
  return {"minima_agree", "the minimum lies where another metric's does", {"along", "other", "within"}, {}, true,
          asking<NearMinimum>(check_near_minimum<-1>)};
}

/// The highest point lies no further than `within` from the lowest of the metric `other`; otherwise as minima_agree.
CheckKind peak_at_minimum() {
  return {"peak_at_minimum", "the maximum lies where another metric's minimum does", {"along", "other", "within"}, {},
          true, asking<NearMinimum>(check_near_minimum<1>)};
}

/// The highest point is higher for every next value of `across`; corrected for both having been picked (rise_of_peak).
CheckKind peaks_rise() {
  return {"peaks_rise", "the maximum along an axis is higher for larger values of another", {"along", "across"}, {},
          true, asking<AcrossAxis>(check_peaks_rise)};
}

/// y <= most at all points, y >= least at one at the least: `least` is shown by the best of k points at 1 - (1 - c)/k,
/// and denied if none is missing and all are below it.
CheckKind maximum_value_between() {
  return {"maximum_value_between", "the highest value is within bounds", {"along"}, {"least", "most"}, false,
          asking<ClaimedBounds>(check_maximum)};
}

}  // namespace nowsim::checks
