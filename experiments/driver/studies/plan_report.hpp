// A plan as people and programs read it.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/machine_choice.hpp"
#include "experiments/driver/studies/plan_limits.hpp"
#include "experiments/driver/studies/plan_results.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// All that there is to say.
struct PlanReport {
  PlanRequest request;
  ResultTable summary;                ///< a row per policy: replications, engine, version, status
  std::vector<PolicyPlan> plans;  ///< in the same order
  PlanAdvice advice;
  std::optional<MachineChoice> machines;  ///< where it was asked for
  std::vector<IntervalTrial> by_interval;  ///< of the recommended policy, where intervals of owners are a guess
  std::shared_ptr<const Scenario> begun;  ///< with owners as they are, where the plans' are coarse; null where there is no plan
};

/// What is advised: the recommended policy on all machines, or on fewer where that was asked and is better. There must
/// be one.
const PolicyPlan& advised_plan(const PlanReport& report);

/// On which machines, which policy, how surely the deadline holds, what cannot be told: a sentence each, for people.
std::vector<std::string> advice_sentences(const PlanReport& report);

/// How splits were found that took simulation; which machines to use.
std::vector<std::string> split_sentences(const PlanReport& report);
std::vector<std::string> machine_sentences(const PlanReport& report);
/// The machines of a set in few words: "n1, n2", "all", "all but n3".
std::string machines_text(const std::vector<std::string>& some, const std::vector<std::string>& all);

/// The table is for people: estimates, what the risk allows, the split, advice. CSV: a row per policy, in SI, each
/// estimate with _low and _high, the work of each machine as X_NAME. JSON: all of it, nested.
void write_plan(const PlanReport& report, Format format, std::ostream& out);

}  // namespace nowsim
