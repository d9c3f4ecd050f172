// The check that a curve's highest value is within bounds.
#include <algorithm>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "sim/base/text.hpp"

namespace nowsim::checks {
namespace {

using Estimates = std::vector<Estimate>;

/// How far each point is above a bound.
Estimates intervals_above(double bound, const Curve& curve, double confidence) {
  Estimates out;
  for (const auto& p : curve.points) out.push_back(Contrast().add(1, p).add(-bound).interval(confidence));
  return out;
}

/// How many comparisons a claim makes: `most` with every point, `least` with the highest of each curve.
std::size_t count_comparisons(const Claim& claim, const Measured& measured) {
  std::size_t count = 0;
  for (const auto& group : measured.groups)
    for (const auto& curve : group.curves) count += (claim.most ? curve.points.size() : 0) + (claim.least ? 1 : 0);
  return count;
}

std::string told_bounds(const Claim& claim) {
  const std::string unit = unit_of(claim.metric),
                    least = claim.least ? ", at least " + short_number(*claim.least) : "";
  const std::string most =
      claim.most ? (claim.least ? " and at most " : ", at most ") + short_number(*claim.most) : "";
  return least + most + unit + " claimed";
}

/// One curve's verdict, its highest point told; `comparisons` share the error.
Judgement judge_maximum(const Claim& claim, const Curve& curve, std::size_t comparisons, bool complete) {
  const double error = 1 - claim.confidence, joint = 1 - error / static_cast<double>(comparisons);
  const double chosen = 1 - error / static_cast<double>(curve.points.size());
  const Estimates each = intervals_above(0, curve, claim.confidence);
  const auto best = std::ranges::max_element(each, {}, &Estimate::value) - each.begin();
  const MeasuredPoint& peak = curve.points[static_cast<std::size_t>(best)];
  const bool below = !claim.most || std::ranges::all_of(intervals_above(*claim.most, curve, claim.confidence),
                                                        [](const Estimate& e) { return e.high <= 0; });
  const bool above = !claim.least || Contrast().add(1, peak).add(-*claim.least).interval(chosen).low >= 0;
  const std::string told = claim.metric + " is highest at " + beside(curve.label, peak.label) + ": " +
                           estimate_text(each[static_cast<std::size_t>(best)]) + unit_of(claim.metric) +
                           told_bounds(claim);
  const std::string figure = figure_at(each[static_cast<std::size_t>(best)], unit_of(claim.metric),
                                       beside(curve.label, peak.label));
  if (below && above) return {Verdict::reproduced, told, figure};
  const bool too_high = claim.most && std::ranges::any_of(intervals_above(*claim.most, curve, joint),
                                                          [](const Estimate& e) { return e.low > 0; });
  const bool too_low = claim.least && complete &&
                       std::ranges::all_of(intervals_above(*claim.least, curve, joint),
                                           [](const Estimate& e) { return e.high < 0; });
  return {too_high || too_low ? Verdict::not_reproduced : Verdict::undecided, told, figure};
}

}  // namespace

ClaimResult maximum_value_between(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  const std::size_t comparisons = count_comparisons(claim, measured);
  std::vector<Judgement> judgements;
  for (const auto& group : measured.groups)
    for (const auto& curve : group.curves)
      judgements.push_back(judge_maximum(claim, curve, comparisons, measured.missing == 0));
  if (judgements.empty()) judgements.push_back({Verdict::undecided, "there are too few points to compare"});
  return result_of(judgements, measured.missing);
}

}  // namespace nowsim::checks
