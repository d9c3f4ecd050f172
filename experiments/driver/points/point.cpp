#include "experiments/driver/points/point.hpp"

#include <algorithm>
#include <array>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// In the order of PointStatus.
constexpr std::array kStatusNames{"ok", "infeasible", "infeasible", "failed", "pending"};

constexpr std::array kDecidingMetrics{
    DecidingMetric{"tau", false, [](double makespan_s, double) { return makespan_s; }},
    DecidingMetric{"RF", true,
                   [](double makespan_s, double deadline_s) { return makespan_s > deadline_s ? 1.0 : 0.0; }}};

}  // namespace

const char* status_name(PointStatus status) { return kStatusNames.at(static_cast<std::size_t>(status)); }

std::optional<PointStatus> status_named(const std::string& name) {
  for (std::size_t k = 0; k < kStatusNames.size(); ++k)
    if (name == kStatusNames[k]) return static_cast<PointStatus>(k);
  return std::nullopt;
}

std::vector<const Scenario*> PointScenarios::all() const {
  std::vector<const Scenario*> all;
  for (const auto& s : {scenario, baseline, step1})
    if (s) all.push_back(s.get());
  return all;
}

const PointScenarios* Point::simulated() const {
  if (const auto* ready = as<ReadyPoint>()) return &ready->scenarios;
  if (const auto* open = as<OpenSplit>()) return &open->provisional;
  const auto* open = as<OpenSize>();
  return open != nullptr && open->provisional ? &*open->provisional : nullptr;
}

std::shared_ptr<const Scenario> Point::scenario() const {
  const PointScenarios* known = simulated();
  return known != nullptr ? known->scenario : nullptr;
}

PointStatus Point::status() const {
  if (as<UnsolvedPoint>() != nullptr) return PointStatus::unsolved;
  if (as<FailedPoint>() != nullptr) return PointStatus::failed;
  return as<UnreadPoint>() != nullptr || as<InfeasiblePoint>() != nullptr ? PointStatus::infeasible : PointStatus::pending;
}

std::string Point::reason() const {
  return std::visit(
      [](const auto& known) -> std::string {
        if constexpr (requires { known.reason; }) return known.reason;
        else return "";
      },
      state);
}

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"auto", "direct", "simgrid"};
  return names;
}

const char* engine_name(EngineChoice choice) { return engine_names()[static_cast<std::size_t>(choice)].c_str(); }

std::string SizeTask::size_text(double size) const { return number_text(size); }

std::string SizeTask::value_text(double value) const {
  const double shown = in_percent && metric->unit != "%" ? 100 * value : value;
  const std::string unit = in_percent ? "%" : metric->unit;
  return short_number(shown) + (unit.empty() ? "" : " " + unit);
}

std::string SizeTask::range_text() const { return key + " from " + size_text(from) + " to " + size_text(to); }

std::string SizeTask::goal_text() const {
  return metric->name + (goal == Goal::equals ? " = " + value_text(target) : std::string(" is ") + goal_word(goal));
}

std::string SizeTask::none_text() const { return "no " + range_text() + " has " + goal_text(); }

const std::vector<std::string>& goal_words() {
  static const std::vector<std::string> words{"largest", "smallest"};
  return words;
}

const char* goal_word(SizeTask::Goal goal) { return goal_words()[static_cast<std::size_t>(goal) - 1].c_str(); }

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
