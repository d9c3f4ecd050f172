// What a plan came to, as people and programs read it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/machine_choice.hpp"
#include "experiments/driver/studies/work_limit.hpp"

namespace nowsim {

/// All that there is to say.
struct PlanReport {
  PlanRequest request;
  ResultTable summary;             ///< a row per policy
  std::vector<Alternative> plans;  ///< in the same order
  Advice advice;
  std::optional<MachineChoice> machines;  ///< where it was asked for
  std::vector<IntervalTrial> by_interval;  ///< of the recommended policy, where intervals of owners are a guess
  std::shared_ptr<const Scenario> begun;  ///< with owners as they are, where the plans' are coarse; null where there is no plan
};

/// What is advised: the recommended policy on all machines, or on fewer where that was asked and is better. There must
/// be one.
const Alternative& advised_plan(const PlanReport& report);

/// On which machines, which policy, how surely the deadline holds, what cannot be told, how splits were found that took
/// simulation: a sentence each, for people.
std::vector<std::string> advice_sentences(const PlanReport& report);

/// Whether the request's risk is kept, and what can be promised at it, of an alternative whose safe deadline has that level.
std::vector<std::string> promise_sentences(const PlanRequest& request, const Alternative& advised, double confidence);

/// Which machines to use, where that was asked.
std::vector<std::string> machine_sentences(const PlanReport& report);
/// The machines of a set in few words: "n1, n2", "all", "all but n3".
std::string machines_text(const std::vector<std::string>& some, const std::vector<std::string>& all);

/// For people estimates, what the risk allows, the split, machines, advice. CSV: a row per policy, in SI, each estimate with
/// _low and _high, the work of each machine as X_NAME. JSON: all of it, nested.
Answer plan_answer(PlanReport report);

}  // namespace nowsim
