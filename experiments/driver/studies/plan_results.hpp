// What simulating a plan's policies gave: estimates per policy, and how surely they can be told apart.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/studies/work_limit.hpp"

namespace nowsim {

/// One policy's answer. Times in s.
struct PolicyPlan {
  std::string policy;
  std::shared_ptr<const Scenario> scenario;  ///< with the split; null where there is none
  RunPlan plan;
  std::shared_ptr<const SplitReport> split_report;  ///< how the split was found, where that took simulation
  PointOutcome outcome;                             ///< with every replication's makespan; or a failure
  Estimate tau, sigma, median, t90, t99;            ///< NaN after a failure
  Estimate late;                                    ///< RF at the deadline; NaN without one
  std::optional<Estimate> safe_deadline;  ///< the 1 - risk quantile of T: the earliest deadline with that risk
  std::optional<WorkLimit> most_work;     ///< that fits the deadline with that risk

  [[nodiscard]] bool is_complete() const { return scenario && outcome.statistics && outcome.failure.empty(); }
  [[nodiscard]] const std::vector<double>& makespans_s() const { return outcome.statistics->makespans_s; }
};

/// A column of a plan: a name for programs, one for people, and where the estimate is.
struct PlanColumn {
  const char* name;
  const char* unit;  ///< "s", or "" of a probability
  Estimate PolicyPlan::*estimate;
};
/// tau, sigma_T, T_50, T_90, T_99, RF.
std::vector<PlanColumn> plan_columns();

/// The level at which each of a request's policies has its safe deadline and its most work: since the best of them is
/// promised, picked from the same sample, all hold together at the plan's confidence (Bonferroni).
double promise_confidence(const PlanRequest& request, double confidence);

/// So that all comparisons between two of so many, by tau or by RF too, hold together at that level (Bonferroni).
double level_of_each(double level, std::size_t compared, bool by_risk_too);

/// A scenario's estimates from its outcome, the safe deadline at a level of its own.
PolicyPlan policy_plan(const std::string& policy, const Point& point, const PointOutcome& outcome,
                       const PlanRequest& request, double safe_deadline_confidence);

/// Of all policies of a request's experiment.
std::vector<PolicyPlan> policy_plans(const Experiment& experiment, const std::vector<PointOutcome>& outcomes,
                                     const PlanRequest& request);

/// A plan's scenario with owners as they are, neither coarse nor mirrored.
std::shared_ptr<const Scenario> begun_scenario(const PlanRequest& request, const PolicyPlan& plan,
                                               const Registries& registries);

/// Another policy beside the recommended one.
struct Rival {
  std::size_t policy;
  Estimate late_more;   ///< its RF less the recommended one's, on the same random numbers; NaN without a deadline
  Estimate takes_more;  ///< its tau less the recommended one's [s], on the same random numbers
  bool is_riskier, is_slower;  ///< surely

  [[nodiscard]] bool can_be_told() const { return is_riskier || is_slower; }
};

/// The recommended policy and the others beside it.
struct PlanAdvice {
  std::optional<std::size_t> best;  ///< none where no policy could be completed
  std::vector<Rival> rivals;
  double confidence = 0.95;  ///< of all comparisons together
  double of_each = 0.95;  ///< of each rival's intervals: Bonferroni over all pairs of policies, since the one that all
                          ///< are compared with is picked from the same sample; with a deadline by RF and by tau
};

/// Of the policies whose RF cannot be told from the least, the one with the least tau; without a deadline that of the
/// earliest time that can be promised at the risk, and without a risk that of the least tau.
PlanAdvice advise(const std::vector<PolicyPlan>& plans, const PlanRequest& request);

}  // namespace nowsim
