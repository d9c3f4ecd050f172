// Checks that look for the highest or lowest point inside a range.
#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/estimate_text.hpp"

namespace nowsim::checks {
namespace {

/// One curve's verdict, with the best inner point told; sign +1: a peak, -1: a dip; `curves` share the error.
Judgement judge_extremum(const Claim& claim, const Curve& curve, double sign, std::size_t curves) {
  const Points& p = curve.points;
  if (p.size() < 3) return {Verdict::undecided, "there are too few points" + in_brackets(curve.label)};
  const auto beyond = [&](std::size_t k, const MeasuredPoint& end, double confidence) {
    return difference(p[k], end).times(sign).interval(confidence);
  };
  const MeasuredPoint& best_end =
      sign * p.front().estimate.value > sign * p.back().estimate.value ? p.front() : p.back();
  const double error = 1 - claim.confidence, chosen = 1 - error / static_cast<double>(p.size() - 2);
  const double denied = 1 - error / (2 * static_cast<double>(curves));
  std::size_t best = 1;
  bool all_denied = true;
  for (std::size_t k = 1; k + 1 < p.size(); ++k) {
    if (sign * p[k].estimate.value > sign * p[best].estimate.value) best = k;
    all_denied = all_denied && beyond(k, best_end, denied).high <= 0;
  }
  const Estimate first = beyond(best, p.front(), chosen), last = beyond(best, p.back(), chosen);
  const std::string unit = unit_of(claim.metric), side = sign > 0 ? " above " : " below ";
  const std::string told = claim.metric + " is " + (sign > 0 ? "highest" : "lowest") + " inside at " +
                           beside(curve.label, p[best].label) + ": " + estimate_text(p[best].estimate) + unit + ", " +
                           estimate_text(first) + side + p.front().label + " and " + estimate_text(last) + side +
                           p.back().label;
  const std::string figure = figure_at(p[best].estimate, unit, beside(curve.label, p[best].label));
  if (first.low > 0 && last.low > 0) return {Verdict::reproduced, told, figure};
  return {all_denied ? Verdict::not_reproduced : Verdict::undecided, told, figure};
}

/// All curves' verdicts together; the sentence is that of the first curve that decides.
ClaimResult check_extremum(const Claim& claim, const Summary& summary, double sign) {
  const Measured measured = measure(claim, summary);
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  std::vector<Judgement> judgements;
  std::size_t curves = 0;
  for (const auto& group : measured.groups) curves += group.curves.size();
  for (const auto& group : measured.groups)
    for (const auto& curve : group.curves) judgements.push_back(judge_extremum(claim, curve, sign, curves));
  return result_of(judgements, measured.missing);
}

}  // namespace

ClaimResult peak_inside(const Claim& claim, const Summary& summary) { return check_extremum(claim, summary, 1); }

ClaimResult falls_then_rises(const Claim& claim, const Summary& summary) { return check_extremum(claim, summary, -1); }

}  // namespace nowsim::checks
