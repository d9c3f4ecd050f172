// What can be done about a deadline: rows of a table of estimates, what can be promised of each, and which of them is best.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/linear_combination.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/fields.hpp"

namespace nowsim {

/// The most work whose 1 - risk quantile of T is not beyond the deadline.
struct WorkLimit {
  /// [flop]. The interval holds the amounts for which the quantile's own interval holds the deadline, so it covers as
  /// that does, since the quantile grows with the work. Its lower end is the work that fits with that confidence: 0 where there are
  /// too few replications to tell, or nothing fits. The upper one may be infinite.
  Estimate work_flop;
  Estimate late;  ///< RF of the lower end's work, on random numbers of their own; NaN where that is 0
};

/// A policy, a way on, a set of machines, a placement: a row with plan_metrics(). Times in s.
struct Alternative {
  ResultRow row;                             ///< its only value is its name
  std::shared_ptr<const Scenario> scenario;  ///< with the split; null where there is none
  RunPlan plan;
  std::shared_ptr<const PointStatistics> statistics;  ///< of its run, with every replication's makespan; may be null
  std::optional<Estimate> safe_deadline;  ///< the 1 - risk quantile of T: the earliest deadline with that risk
  std::optional<WorkLimit> most_work;     ///< that fits the deadline with that risk

  [[nodiscard]] const std::string& name() const { return row.values.front(); }
  [[nodiscard]] bool is_complete() const { return scenario && row.has_results(); }
  [[nodiscard]] const std::vector<double>& makespans_s() const { return statistics->makespans_s; }
  /// Not known after a failure, and of RF without a deadline.
  [[nodiscard]] Estimate estimate(PlanMetric metric) const;
  [[nodiscard]] Estimate tau() const { return estimate(PlanMetric::tau); }
  [[nodiscard]] Estimate late() const { return estimate(PlanMetric::late); }
};

/// The safe deadline at a level of its own, where the request has a risk.
Alternative alternative(ResultRow row, const Point& point, const PointOutcome& outcome, const PlanRequest& request,
                        double safe_deadline_confidence);
/// Of an experiment's points, in their order: since the best of them is promised, picked from the same sample, all safe
/// deadlines hold together at the points' confidence.
std::vector<Alternative> alternatives(const ResultTable& table, const Experiment& experiment,
                                      const std::vector<PointOutcome>& outcomes, const PlanRequest& request);
/// The level at which each of so many alternatives has its safe deadline and its most work for that (Bonferroni).
double promise_confidence(std::size_t alternatives, double confidence);

/// The scenario with owners as they are, neither coarse nor mirrored.
std::shared_ptr<const Scenario> begun_scenario(const PlanRequest& request, const Scenario& scenario,
                                               const Registries& registries);

// ---- comparisons ---------------------------------------------------------------------------------------------------

/// Differences between any two of several alternatives that are complete, on the same random numbers: all of tau hold
/// together, and so do all of RF. It refers to them.
class PairwiseDifferences {
 public:
  /// @param deadline_s by which RF is compared; none: it is not.
  /// @param confidence of all of tau together, and of all of RF.
  PairwiseDifferences(const std::vector<Alternative>& all, std::optional<double> deadline_s, double confidence);
  /// Tau of one less that of another [s]; RF likewise, NaN without a deadline.
  [[nodiscard]] Estimate takes_more(std::size_t one, std::size_t than) const;
  [[nodiscard]] Estimate late_more(std::size_t one, std::size_t than) const;
  /// Surely, and by more than rounding.
  [[nodiscard]] bool is_slower(std::size_t one, std::size_t than) const;
  [[nodiscard]] bool is_riskier(std::size_t one, std::size_t than) const { return late_more(one, than).low > 0; }
  /// The highest level that an interval needs for that.
  [[nodiscard]] double level_of_each() const { return std::max(tau_level_, late_level_); }

 private:
  std::vector<MeasuredPoint> tau_, late_;  ///< by alternative
  double tau_level_, late_level_;
};

/// Another alternative beside the recommended one.
struct Rival {
  std::size_t index;
  Estimate late_more;   ///< its RF less the recommended one's; NaN without a deadline
  Estimate takes_more;  ///< its tau less the recommended one's [s]
  bool is_riskier, is_slower;  ///< surely

  [[nodiscard]] bool can_be_told() const { return is_riskier || is_slower; }
};

/// The recommended alternative and the others beside it.
struct Advice {
  std::optional<std::size_t> best;  ///< none where none could be completed
  std::vector<Rival> rivals;
  double confidence = 0.95;  ///< of all comparisons together
  double of_each = 0.95;     ///< the highest level of their intervals
};

/// Of those whose RF cannot be told from the least, the one with the least tau; without a deadline that of the earliest
/// time that can be promised at the risk, and without a risk that of the least tau.
Advice advise(const std::vector<Alternative>& all, const PlanRequest& request);

}  // namespace nowsim
