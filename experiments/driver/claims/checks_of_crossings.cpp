// The check that two curves cross.
#include <algorithm>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/estimate_text.hpp"

namespace nowsim::checks {
namespace {

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
Judgement judge_pair(const Claim& claim, const Curve& higher, const Curve& lower, std::size_t pairs, bool complete) {
  const std::size_t k = common_points(higher, lower).size();
  if (k < 2) return {Verdict::undecided, "there are too few points that both curves have" + in_brackets(higher.label)};
  const double error = 1 - claim.confidence, denied = 1 - error / (2 * static_cast<double>(pairs));
  const double chosen = 1 - error / static_cast<double>(k);
  const Lead up = greatest_lead(higher, lower, 1, chosen), down = greatest_lead(higher, lower, -1, chosen);
  const auto told_of = [&](const Lead& lead) {
    const Estimate e = difference(*lead.at, *lead.over).interval(chosen);
    return estimate_text(e) + unit_of(claim.metric) + in_brackets(lead.at->label);
  };
  const std::string told = claim.metric + " at " + higher.label + " less that at " + lower.across + " is " +
                           told_of(down) + " to " + told_of(up);
  const std::string figure = told_of(down) + " to " + told_of(up);
  if (up.by.low > 0 && down.by.low > 0) return {Verdict::reproduced, told, figure};
  const bool apart = is_denied(higher, lower, 1, denied) || is_denied(higher, lower, -1, denied);
  return {complete && apart ? Verdict::not_reproduced : Verdict::undecided, told, figure};
}

}  // namespace

ClaimResult cross(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  std::size_t pairs = 0;
  for_each_pair(claim, measured, [&](const Curve&, const Curve&) { ++pairs; });
  std::vector<Judgement> judgements;
  for_each_pair(claim, measured, [&](const Curve& higher, const Curve& lower) {
    judgements.push_back(judge_pair(claim, higher, lower, pairs, measured.missing == 0));
  });
  if (judgements.empty()) judgements.push_back({Verdict::undecided, "there are too few points to compare"});
  return result_of(judgements, measured.missing);
}

}  // namespace nowsim::checks
