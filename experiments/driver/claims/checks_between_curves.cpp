// Checks that compare a curve with another, or one end of it with the other as its multiple.
#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "sim/base/text.hpp"

namespace nowsim::checks {
namespace {

// ---- rises and levels --------------------------------------------------------------------------------------------

void compare_rises(const Claim& claim, const Curve& lower, const Curve& higher, Comparisons& out) {
  const auto common = common_points(lower, higher);
  if (common.size() < 2) return;
  const LinearCombination rise_low = difference(*common.back().first, *common.front().first);
  const LinearCombination margin = sum(difference(*common.back().second, *common.front().second), rise_low.times(-1));
  out.push_back({margin, true, margin,
                 "from " + lower.label + " to " + higher.across + " the rise up to " + common.back().first->label +
                     " changes by ",
                 unit_of(claim.metric)});
}

/// Of the curve at the first value of `across`, the rise to its end; and at its first point, the rise across the
/// curves.
void compare_axes(const Claim& claim, const AcrossAxis& asked, const Curve& first, const Curve& last, Comparisons& out,
                  LabelledEstimates& figures) {
  const auto common = common_points(first, last);
  if (first.points.size() < 2 || common.empty() || common.front().first != &first.points.front()) return;
  const MeasuredPoint& origin = first.points.front();
  const LinearCombination rise_along = difference(first.points.back(), origin);
  const LinearCombination rise_across = difference(*common.front().second, origin);
  const LinearCombination margin = sum(rise_along, rise_across.times(-1));
  figures.push_back({beside(first.label, claim.along), rise_along.interval(claim.confidence)});
  figures.push_back({beside(first.label, asked.across), rise_across.interval(claim.confidence)});
  out.push_back(
      {margin, true, margin,
       "from " + first.label + ", " + origin.label + " on " + claim.metric + " rises along " + claim.along + " by ",
       unit_of(claim.metric), " more than along " + asked.across});
}

void compare_levels(const Claim& claim, double tolerance, const Curve& higher, const Curve& lower, Comparisons& out,
                    LabelledEstimates& figures) {
  const auto common = common_points(lower, higher);
  if (common.empty()) return;
  const auto compare = [&](const MeasuredPoint& low, const MeasuredPoint& high, double allowed) {
    const LinearCombination margin = sum(allowance(allowed, low), difference(high, low));
    out.push_back(
        percent_above(margin, allowed == 0, claim, beside(higher.label, high.label), lower.across, high, low));
  };
  for (const auto& [low, high] : common) compare(*low, *high, tolerance);
  const auto& [low, high] = common.back();
  if (tolerance > 0) compare(*low, *high, 0);
  figures.push_back({beside(higher.label, high->label), difference(*high, *low).interval(claim.confidence)});
}

ClaimResult check_rises(const Claim& claim, const AcrossAxis& asked, const ResultTable& summary) {
  const Measured measured = measure(claim, summary, asked.across);
  Comparisons comparisons;
  LabelledEstimates figures;
  for (const auto& group : measured.groups)
    for (std::size_t k = 0; k < group.size(); ++k) {
      const Points& points = group[k].points;
      if (points.size() > 1)
        figures.push_back(
            {group[k].label, difference(points.back(), points.front()).interval(claim.confidence)});
      if (k > 0) compare_rises(claim, group[k - 1], group[k], comparisons);
    }
  return result_of(claim, measured,
                   overview_of(claim.metric + " rises along " + claim.along + " by", figures, unit_of(claim.metric)),
                   comparisons);
}

ClaimResult check_axes(const Claim& claim, const AcrossAxis& asked, const ResultTable& summary) {
  const Measured measured = measure(claim, summary, asked.across);
  Comparisons comparisons;
  LabelledEstimates figures;
  for (const auto& group : measured.groups)
    if (group.size() > 1)
      compare_axes(claim, asked, group.front(), group.back(), comparisons, figures);
  const std::string overview = overview_of(claim.metric + " rises by", figures, unit_of(claim.metric));
  return result_of(claim, measured, overview, comparisons);
}

struct LevelsAsked : TwoCurves, Tolerance {
  explicit LevelsAsked(Reader& read) : TwoCurves(read), Tolerance(read) {}
};

ClaimResult check_levels(const Claim& claim, const LevelsAsked& asked, const ResultTable& summary) {
  const Measured measured = measure(claim, asked, summary);
  Comparisons comparisons;
  LabelledEstimates figures;
  for_each_pair(asked, measured, [&](const Curve& higher, const Curve& lower) {
    compare_levels(claim, asked.tolerance, higher, lower, comparisons, figures);
  });
  const std::string told =
      claim.metric + " at " + asked.across + " = " + asked.higher + " ends above that at " + asked.lower + " by";
  return result_of(claim, measured, overview_of(told, figures, unit_of(claim.metric)), comparisons);
}

// ---- crossings ---------------------------------------------------------------------------------------------------

/// Of one curve over another: how far above it anywhere, at a confidence; sign -1: how far below.
struct Lead {
  const MeasuredPoint *at = nullptr, *over = nullptr;
  Estimate by;
};

Lead greatest_lead(const Curve& higher, const Curve& lower, double sign, double confidence) {
  Lead best;
  for (const auto& [high, low] : common_points(higher, lower)) {
    const Estimate by = difference(*high, *low).times(sign).interval(confidence);
    if (best.at == nullptr || by.value > best.by.value) best = {high, low, by};
  }
  return best;
}

/// Whether the curve is nowhere above the other; sign -1: nowhere below.
bool is_denied(const Curve& higher, const Curve& lower, double sign, double confidence) {
  const auto common = common_points(higher, lower);
  return std::ranges::all_of(common, [&](const auto& pair) {
    return difference(*pair.first, *pair.second).times(sign).interval(confidence).high <= 0;
  });
}

/// The verdict on one pair of `pairs`, which share the error.
ClaimResult judge_pair(const Claim& claim, const Curve& higher, const Curve& lower, std::size_t pairs, bool complete) {
  const std::size_t k = common_points(higher, lower).size();
  if (k < 2) return {Verdict::undecided, "there are too few points that both curves have" + in_brackets(higher.label)};
  const double denied = bonferroni(2 * pairs, claim.confidence), chosen = bonferroni(k, claim.confidence);
  const Lead up = greatest_lead(higher, lower, 1, chosen), down = greatest_lead(higher, lower, -1, chosen);
  const auto told_of = [&](const Lead& lead) {
    const Estimate e = difference(*lead.at, *lead.over).interval(chosen);
    return quantity_text(e, unit_of(claim.metric)) + in_brackets(lead.at->label);
  };
  const std::string told = claim.metric + " at " + higher.label + " less that at " + lower.across + " is " +
                           told_of(down) + " to " + told_of(up);
  const std::string figure = "from " + told_of(down) + " to " + told_of(up) + " above";
  if (up.by.low > 0 && down.by.low > 0) return {Verdict::reproduced, told, figure};
  const bool apart = is_denied(higher, lower, 1, denied) || is_denied(higher, lower, -1, denied);
  return {complete && apart ? Verdict::not_reproduced : Verdict::undecided, told, figure};
}

ClaimResult check_crossing(const Claim& claim, const TwoCurves& asked, const ResultTable& summary) {
  const Measured measured = measure(claim, asked, summary);
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  std::size_t pairs = 0;
  for_each_pair(asked, measured, [&](const Curve&, const Curve&) { ++pairs; });
  std::vector<ClaimResult> judgements;
  for_each_pair(asked, measured, [&](const Curve& higher, const Curve& lower) {
    judgements.push_back(judge_pair(claim, higher, lower, pairs, measured.missing == 0));
  });
  return result_of(judgements, measured.missing);
}

// ---- multiples ---------------------------------------------------------------------------------------------------

/// Whether what is divided by is clearly above 0; if not, a comparison that stays open says so.
bool can_divide_by(const Claim& claim, const MeasuredPoint& p, const std::string& where, Comparisons& out) {
  const LinearCombination value = LinearCombination().add(1, p);
  if (value.interval(claim.confidence).low > 0) return true;
  out.push_back({LinearCombination().add(std::nan("")), true, value, "no ratio: at " + where + " there is ",
                 unit_of(claim.metric), ", not clearly above 0"});
  return false;
}

/// What is compared with the claim's bounds: the numerator over the denominator.
struct Ratio {
  LinearCombination numerator, denominator;
  LinearCombination shown;  ///< the ratio as it is told
  double scale;    ///< a bound's size as it is told
  std::string before, unit;
};

/// Numerator and bound times denominator, in place of the ratio, so that both comparisons are linear.
void compare_with_bounds(const ClaimedBounds& asked, const Ratio& ratio, Comparisons& out) {
  const auto compare = [&](double bound, double sign, const std::string& side) {
    const LinearCombination margin = sum(ratio.numerator, ratio.denominator.times(-bound)).times(sign);
    out.push_back({margin, false, ratio.shown, ratio.before,
                   ratio.unit, ", " + side + " " + short_number(bound * ratio.scale) + ratio.unit + " claimed"});
  };
  if (asked.least) compare(*asked.least, 1, "at least");
  if (asked.most) compare(*asked.most, -1, "at most");
}

void compare_ratios(const Claim& claim, const ClaimedBounds& asked, const Curve& higher, const Curve& lower,
                    Comparisons& out, LabelledEstimates& figures) {
  for (const auto& [high, low] : common_points(higher, lower)) {
    const std::string where = beside(higher.label, high->label);
    if (!can_divide_by(claim, *low, beside(lower.label, low->label), out)) continue;
    const LinearCombination shown = ratio(*high, *low);
    figures.push_back({where, shown.interval(claim.confidence)});
    compare_with_bounds(asked,
                        {LinearCombination().add(1, *high), LinearCombination().add(1, *low), shown, 1,
                         "at " + where + " it is that at " + lower.across + " times ", ""},
                        out);
  }
}

void compare_change(const Claim& claim, const ClaimedBounds& asked, const Curve& curve, Comparisons& out,
                    LabelledEstimates& figures) {
  if (curve.points.size() < 2) return;
  const MeasuredPoint &first = curve.points.front(), &last = curve.points.back();
  if (!can_divide_by(claim, first, beside(curve.label, first.label), out)) return;
  const LinearCombination shown = sum(ratio(last, first), LinearCombination().add(-1)).times(100);
  figures.push_back({curve.label, shown.interval(claim.confidence)});
  compare_with_bounds(asked,
                      {difference(last, first), LinearCombination().add(1, first), shown, 100,
                       "from " + first.label + " to " + beside(curve.label, last.value) + " it changes by ", " %"},
                      out);
}

struct RatiosAsked : TwoCurves, ClaimedBounds {
  explicit RatiosAsked(Reader& read) : TwoCurves(read), ClaimedBounds(read) {}
};

ClaimResult check_ratios(const Claim& claim, const RatiosAsked& asked, const ResultTable& summary) {
  const Measured measured = measure(claim, asked, summary);
  Comparisons comparisons;
  LabelledEstimates figures;
  for_each_pair(asked, measured, [&](const Curve& higher, const Curve& lower) {
    compare_ratios(claim, asked, higher, lower, comparisons, figures);
  });
  const std::string told = claim.metric + " at " + asked.across + " = " + asked.higher + " is that at " + asked.lower;
  return result_of(claim, measured, overview_of(told + " times", figures, ""), comparisons);
}

ClaimResult check_changes(const Claim& claim, const ClaimedBounds& asked, const ResultTable& summary) {
  const std::string told = claim.metric + " changes along " + claim.along + " in all by";
  const Measured measured = measure(claim, summary);
  const auto compare = [&](const Curve& curve, auto& comparisons, auto& figures) {
    compare_change(claim, asked, curve, comparisons, figures);
  };
  return of_all_points(for_each_curve(claim, measured, told, " %", compare), measured);  // an end may be missing
}

}  // namespace

/// y_last - y_first is larger for every next value of `across`, over the x that both curves have.
CheckKind grows_more() {
  return {"grows_more", "the rise along an axis is larger for larger values of another", {"along", "across"}, {}, true,
          asking<AcrossAxis>(check_rises)};
}

/// From where both axes begin, y rises by more up to the end of `along` than up to the end of `across`.
CheckKind steeper() {
  return {"steeper", "the rise along an axis is larger than that along another", {"along", "across"}, {}, true,
          asking<AcrossAxis>(check_axes)};
}

/// At every x that both have, the curve at across = higher has y >= (1 - tolerance) times that at across = lower, and
/// more than that at the last x; without a tolerance more at every x.
CheckKind above() {
  return {"above", "one curve is above another", {"along", "across", "higher", "lower"}, {"tolerance"}, false,
          asking<LevelsAsked>(check_levels)};
}

/// Of the x that both have, at some the curve at across = higher is above that at across = lower, and at some below it.
/// Reproduced if of k differences the best and the worst are beyond 0 at 1 - (1 - c)/k each; not reproduced if for some
/// of s pairs of curves none is missing, and none is beyond 0 on the one side, or on the other, at 1 - (1 - c)/(2 s).
CheckKind cross() {
  return {"cross", "one curve is above another here, and below it there", {"along", "across", "higher", "lower"}, {},
          false, asking<TwoCurves>(check_crossing)};
}

/// At every x that both have, least <= y_higher/y_lower <= most. Undecided where what it divides by is not clearly above
/// 0.
CheckKind ratio_between() {
  return {"ratio_between", "one curve is within bounds as a multiple of another",
          {"along", "across", "higher", "lower"}, {"least", "most"}, false, asking<RatiosAsked>(check_ratios)};
}

/// least <= (y_last - y_first)/y_first <= most. Undecided where what it divides by is not clearly above 0; not denied
/// while points are missing.
CheckKind change_between() {
  return {"change_between", "the relative change along an axis is within bounds", {"along"}, {"least", "most"}, true,
          asking<ClaimedBounds>(check_changes)};
}

}  // namespace nowsim::checks
