// Checks of where a curve's lowest or highest point lies, how high it is, and of bounds on all values.
#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim::checks {
namespace {

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
Judgement judge_place(const Claim& claim, const Curve& curve, double sign, const Range& range, std::size_t curves) {
  PointList inside, outside;
  for (const auto& p : curve.points) (range.has(p.x) ? inside : outside).push_back(&p);
  if (inside.empty() || outside.empty())
    return {Verdict::undecided,
            std::string(inside.empty() ? "no" : "every") + " point lies there" + in_brackets(curve.label)};
  const double error = 1 - claim.confidence;
  const MeasuredPoint &in = best_of(inside, sign), &out = best_of(outside, sign);
  const Estimate shown = lead(in, outside, sign, 1 - error / static_cast<double>(inside.size()));
  const Estimate denied = lead(out, inside, sign, 1 - error / static_cast<double>(outside.size() * curves));
  const bool is_inside = sign * in.estimate.value > sign * out.estimate.value;
  const MeasuredPoint& best = is_inside ? in : out;
  const std::string unit = unit_of(claim.metric);
  const std::string told = claim.metric + " is " + (sign > 0 ? "highest" : "lowest") + " at " +
                           beside(curve.label, best.label) + ": " + estimate_text(best.estimate) + unit + ", " +
                           estimate_text(is_inside ? shown : denied) + unit + (sign > 0 ? " above" : " below") +
                           " all that lie " + (is_inside ? "elsewhere" : "where it should");
  const std::string figure = figure_at(best.estimate, unit, beside(curve.label, best.label));
  if (shown.low > 0) return {Verdict::reproduced, told, figure};
  return {denied.low > 0 ? Verdict::not_reproduced : Verdict::undecided, told, figure};
}

/// range(curve): where its extremum should be.
template <class RangeOf>
ClaimResult check_places(const Claim& claim, const Summary& summary, double sign, RangeOf range) {
  const Measured measured = measure(claim, summary);
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  std::size_t curves = 0;
  for (const auto& group : measured.groups) curves += group.curves.size();
  std::vector<Judgement> judgements;
  for (const auto& group : measured.groups)
    for (const auto& curve : group.curves) judgements.push_back(judge_place(claim, curve, sign, range(curve), curves));
  return result_of(judgements, measured.missing);
}

ClaimResult check_bounded_place(const Claim& claim, const Summary& summary, double sign) {
  return check_places(claim, summary, sign, [&](const Curve&) {
    return Range{claim.least.value_or(-kInfinity), claim.most.value_or(kInfinity)};
  });
}

/// Where on a curve another metric is lowest; NaN where it has no value.
double place_of_minimum(const Curve& curve, std::size_t metric) {
  double place = std::nan(""), least = kInfinity;
  for (const auto& p : curve.points)
    if (const double y = p.row->estimates[metric].front().value; y < least) {
      least = y;
      place = p.x;
    }
  return place;
}

ClaimResult check_near_minimum(const Claim& claim, const Summary& summary, double sign) {
  std::size_t other = 0;
  while (summary.metrics[other]->name != claim.other) ++other;
  return check_places(claim, summary, sign, [&](const Curve& curve) {
    const double place = place_of_minimum(curve, other);
    return Range{place - claim.within, place + claim.within};
  });
}

const MeasuredPoint* peak_of(const Curve& curve) {
  PointList all;
  for (const auto& p : curve.points) all.push_back(&p);
  return all.empty() ? nullptr : &best_of(all, 1);
}

}  // namespace

ClaimResult minimum_between(const Claim& claim, const Summary& summary) {
  return check_bounded_place(claim, summary, -1);
}

ClaimResult maximum_between(const Claim& claim, const Summary& summary) {
  return check_bounded_place(claim, summary, 1);
}

ClaimResult minima_agree(const Claim& claim, const Summary& summary) { return check_near_minimum(claim, summary, -1); }

ClaimResult peak_at_minimum(const Claim& claim, const Summary& summary) {
  return check_near_minimum(claim, summary, 1);
}

ClaimResult peaks_rise(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  const std::string unit = unit_of(claim.metric);
  Comparisons comparisons;
  Figures figures;
  for (const auto& group : measured.groups)
    for (std::size_t k = 0; k < group.curves.size(); ++k) {
      const MeasuredPoint* peak = peak_of(group.curves[k]);
      if (peak == nullptr) continue;
      figures.push_back({group.curves[k].label, peak->estimate});
      const MeasuredPoint* before = k > 0 ? peak_of(group.curves[k - 1]) : nullptr;
      if (before == nullptr) continue;
      const Contrast rise = difference(*peak, *before);
      const std::string before_it = "from " + group.curves[k - 1].label + " to " + group.curves[k].across;
      comparisons.push_back({rise, true, rise, before_it + " the peak rises by ", unit});
    }
  const std::string told = "the peak of " + claim.metric + " along " + claim.along + " is";
  return result_of(claim, measured, overview_of(told, figures, unit), comparisons);
}

ClaimResult values_between(const Claim& claim, const Summary& summary) {
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
      if (claim.more_than) compare(1, *claim.more_than);
      if (claim.less_than) compare(-1, *claim.less_than);
    }
  };
  return for_each_curve(claim, summary, claim.metric + " is", unit, rule);
}

}  // namespace nowsim::checks
