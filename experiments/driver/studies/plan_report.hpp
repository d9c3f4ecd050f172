// What a plan came to, as people and programs read it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/machine_choice.hpp"
#include "experiments/driver/studies/replay_check.hpp"

namespace nowsim {

struct PlanReport {
  PlanRequest request;
  ResultTable summary;             ///< a row per policy
  std::vector<Alternative> plans;  ///< in the same order
  Advice advice;
  std::optional<MachineChoice> machines;  ///< where it was asked for
  std::vector<IntervalTrial> by_interval;  ///< of the recommended policy, where intervals of owners are a guess
  std::optional<ReplayCheck> replay;        ///< of its promise, where recordings are given
  std::shared_ptr<const Scenario> begun;  ///< with owners as they are, where the plans' are coarse; null where there is no plan
};

/// On which machines, which policy, how surely the deadline holds, what cannot be told, how splits were found that took
/// simulation: a sentence each, for people.
std::vector<std::string> advice_sentences(const PlanReport& report);

/// For people estimates, what the risk allows, the split, machines, advice. CSV: a row per policy, in SI, each estimate with
/// _low and _high, the work of each machine as X_NAME. JSON: all of it, nested.
Answer plan_answer(PlanReport report);

}  // namespace nowsim
