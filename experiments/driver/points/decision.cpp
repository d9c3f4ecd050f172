// The metrics that can decide, and the rule that plans ask for.
#include "experiments/driver/points/decision.hpp"

#include <algorithm>
#include <array>

namespace nowsim {
namespace {

constexpr std::array kDecidingMetrics{
    DecidingMetric{"tau", false, [](double makespan_s, double) { return makespan_s; }},
    DecidingMetric{"RF", true,
                   [](double makespan_s, double deadline_s) { return makespan_s > deadline_s ? 1.0 : 0.0; }}};

}  // namespace

std::span<const DecidingMetric> deciding_metrics() { return kDecidingMetrics; }

const DecidingMetric* deciding_metric(const std::string& name) {
  const auto found = std::ranges::find_if(kDecidingMetrics, [&](const DecidingMetric& m) { return name == m.name; });
  return found == kDecidingMetrics.end() ? nullptr : &*found;
}

/// Of rare events the first stage may have seen none: where none of n differ, up to 3/n may, with 95 % confidence.
SelectionRule selection_rule(const RunPlan& plan) {
  constexpr double kUnseen = 3;
  constexpr auto kFirst = static_cast<double>(kFirstReplications), kEach = static_cast<double>(kReplicationsPerMean);
  const bool is_share = deciding_metric(plan.decide_by->name)->is_share;
  SelectionRule rule{plan.confidence, plan.indifference, !is_share};
  rule.first_stage = kFirstReplications / kReplicationsPerMean;
  rule.least_variance = is_share ? kUnseen / kFirst / kEach : 0;
  return rule;
}

const std::vector<std::string>& standing_names() {
  static const std::vector<std::string> names{"best", "equal", "worse", "open"};
  return names;
}

const char* standing_name(Standing standing) { return standing_names()[static_cast<std::size_t>(standing)].c_str(); }

}  // namespace nowsim
