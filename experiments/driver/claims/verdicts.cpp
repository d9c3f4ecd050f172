// Checking claims one by one.
#include "experiments/driver/claims/verdicts.hpp"

#include <algorithm>

#include "experiments/driver/claims/told_sentence.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

/// Why the summary cannot tell anything about the claim, or "".
std::string obstacle(const Claim& claim, const ResultTable& summary) {
  Words axes;
  for (const auto& [what, key, name, axis] : claim.names) {
    if (key == "differs") continue;  // what is only told decides nothing
    if (what == Named::axis) axes.push_back(name);
    if (what == Named::metric && summary.metric_index(name) == summary.metrics.size())
      return "'" + name + "' is not among the metrics";
  }
  for (const auto& [axis, values] : claim.where) axes.push_back(axis);
  for (const auto& axis : axes)
    if (!contains(summary.axes, axis)) return "'" + axis + "' is not swept";
  return "";
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  constexpr const char* names[] = {"reproduced", "not reproduced", "undecided"};
  return names[static_cast<int>(verdict)];
}

ClaimKind ClaimResult::kind() const {
  if (!variant_of.empty()) return ClaimKind::variant;
  return calibrated ? ClaimKind::calibrated : ClaimKind::plain;
}

void VerdictCounts::add(const ClaimResult& claim) {
  ++of[static_cast<std::size_t>(claim.verdict)];
  chosen += claim.verdict == Verdict::reproduced && !claim.chosen.empty() ? 1 : 0;
}

std::string counts_text(const VerdictCounts& counts, bool present) {
  Words parts;
  for (const Verdict verdict : {Verdict::reproduced, Verdict::not_reproduced, Verdict::undecided}) {
    const auto count = counts.of[static_cast<std::size_t>(verdict)];
    if (present && count == 0) continue;
    parts.push_back(std::to_string(count) + " " + verdict_name(verdict));
    if (verdict == Verdict::reproduced && counts.chosen > 0)
      parts.back() += " (with " + std::to_string(counts.chosen) + " something was chosen after results had been seen)";
  }
  return joined(parts);
}

std::vector<ClaimResult> check_claims(const std::vector<Claim>& claims, const ResultTable& summary) {
  std::vector<ClaimResult> results;
  for (const auto& claim : claims) {
    const std::string why = obstacle(claim, summary);
    results.push_back(why.empty() ? claim.check(claim, summary) : ClaimResult{});
    ClaimResult& result = results.back();
    if (!why.empty()) result.measured = why + ", so nothing can be said";
    if (!result.figure.empty() && !result.figure.starts_with(claim.metric + " "))
      result.figure = claim.metric + ": " + result.figure;
    result.id = claim.id;
    result.says = claim.says;
    result.source = claim.source;
    result.paper = claim.paper;
    result.calibrated = claim.calibrated;
    result.words = claim.words;
    result.chosen = claim.chosen;
    result.variant_of = claim.variant_of;
    if (result.verdict != Verdict::reproduced) result.differs = told(claim.differs, claim, summary);
    result.check = claim.kind->name;
    result.confidence = claim.confidence;
  }
  return results;
}

}  // namespace nowsim
