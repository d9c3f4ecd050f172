// Checks that compare a curve with another.
#include "experiments/driver/claims/check_parts.hpp"

namespace nowsim::checks {
namespace {

void compare_rises(const Claim& claim, const Curve& lower, const Curve& higher, Comparisons& out) {
  const auto common = common_points(lower, higher);
  if (common.size() < 2) return;
  const Contrast rise_low = difference(*common.back().first, *common.front().first);
  const Contrast margin = sum(difference(*common.back().second, *common.front().second), rise_low.times(-1));
  out.push_back({margin, true, margin,
                 "from " + lower.label + " to " + higher.across + " the rise up to " + common.back().first->label +
                     " changes by ",
                 unit_of(claim.metric)});
}

/// Of the curve at the first value of `across`, the rise to its end; and at its first point, the rise across the
/// curves.
void compare_axes(const Claim& claim, const Curve& first, const Curve& last, Comparisons& out, Figures& figures) {
  const auto common = common_points(first, last);
  if (first.points.size() < 2 || common.empty() || common.front().first != &first.points.front()) return;
  const MeasuredPoint& origin = first.points.front();
  const Contrast rise_along = difference(first.points.back(), origin);
  const Contrast rise_across = difference(*common.front().second, origin);
  const Contrast margin = sum(rise_along, rise_across.times(-1));
  figures.push_back({beside(first.label, claim.along), rise_along.interval(claim.confidence)});
  figures.push_back({beside(first.label, claim.across), rise_across.interval(claim.confidence)});
  out.push_back(
      {margin, true, margin,
       "from " + first.label + ", " + origin.label + " on " + claim.metric + " rises along " + claim.along + " by ",
       unit_of(claim.metric) + " more than along " + claim.across});
}

void compare_levels(const Claim& claim, const Curve& higher, const Curve& lower, Comparisons& out, Figures& figures) {
  const auto common = common_points(lower, higher);
  if (common.empty()) return;
  const auto compare = [&](const MeasuredPoint& low, const MeasuredPoint& high, double tolerance) {
    const Contrast margin = sum(allowance(tolerance, low), difference(high, low));
    out.push_back(
        percent_above(margin, tolerance == 0, claim, beside(higher.label, high.label), lower.across, high, low));
  };
  for (const auto& [low, high] : common) compare(*low, *high, claim.tolerance);
  const auto& [low, high] = common.back();
  if (claim.tolerance > 0) compare(*low, *high, 0);
  figures.push_back({beside(higher.label, high->label), difference(*high, *low).interval(claim.confidence)});
}

}  // namespace

ClaimResult grows_more(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  Figures figures;
  for (const auto& group : measured.groups)
    for (std::size_t k = 0; k < group.curves.size(); ++k) {
      const Points& points = group.curves[k].points;
      if (points.size() > 1)
        figures.push_back(
            {group.curves[k].label, difference(points.back(), points.front()).interval(claim.confidence)});
      if (k > 0) compare_rises(claim, group.curves[k - 1], group.curves[k], comparisons);
    }
  return result_of(claim, measured,
                   overview_of(claim.metric + " rises along " + claim.along + " by", figures, unit_of(claim.metric)),
                   comparisons);
}

ClaimResult steeper(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  Figures figures;
  for (const auto& group : measured.groups)
    if (group.curves.size() > 1) compare_axes(claim, group.curves.front(), group.curves.back(), comparisons, figures);
  const Overview overview = overview_of(claim.metric + " rises by", figures, unit_of(claim.metric));
  return result_of(claim, measured, overview, comparisons);
}

ClaimResult above(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  Figures figures;
  for_each_pair(claim, measured, [&](const Curve& higher, const Curve& lower) {
    compare_levels(claim, higher, lower, comparisons, figures);
  });
  const std::string told =
      claim.metric + " at " + claim.across + " = " + claim.higher + " ends above that at " + claim.lower + " by";
  return result_of(claim, measured, overview_of(told, figures, unit_of(claim.metric)), comparisons);
}

}  // namespace nowsim::checks
