// What can be done about a deadline: rows of a table of estimates, what can be promised of each, which of them is best, how
// much work fits; how a study's own points are run; and what plans, jobs under way and placements say and draw alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/running/linear_combination.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/duration_text.hpp"

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

/// A scenario that can be run as it is.
ReadyPoint ready_point(Scenario scenario);
/// How points of no experiment are run, and who is told.
struct StudyManner {
  int jobs = 1;                                    ///< child processes at a time
  std::function<void(const std::string&)> on_run;  ///< is told what is being done
  std::function<bool()> is_over = nullptr;         ///< asked now and then; true ends it
  ProgressListener on_progress = nullptr;          ///< while something runs
  BatchRunner* here = nullptr;                     ///< simulates in this process instead; may be null

  [[nodiscard]] RunContext context() const { return {jobs, on_progress, is_over}; }
};
/// Runs points with all their makespans gathered. Failures have no statistics.
std::vector<PointOutcome> run_with_makespans(std::vector<Point> points, const StudyManner& manner);

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

/// That of all of tau, so that with all of RF, where there is a deadline, they hold together at the other.
double by_metric_confidence(std::optional<double> deadline_s, double confidence);

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

// ---- words -----------------------------------------------------------------------------------------------------------

/// "97.3 [96.1, 98.2] %" of the deadline's being kept.
std::string kept_text(const Estimate& late);
/// A difference without its sign.
Estimate size_of(const Estimate& difference);
/// "3.1 ± 0.2 min".
std::string time_text(const Estimate& s, const ColumnUnit& unit);
/// "T at 95 %".
std::string promised_name(const PlanRequest& request);
/// ", deadline 2 h", or nothing; where the job's beginning is known ", from Fri 2026-12-04 20:00 to Sat 08:00 at the
/// latest (12 h)".
std::string deadline_text(const PlanRequest& request);

/// "The risk of 5 % is kept", "is exceeded", "may be kept or not".
std::string kept_risk_text(const Alternative& one, double risk);
/// Whether the request's risk is kept, and what can be promised at it, of an alternative whose safe deadline has that
/// level: a sentence each.
std::vector<std::string> promise_sentences(const PlanRequest& request, const Alternative& advised, double confidence);

/// That clocks are put forward or back while the job may be running, up to its latest end in any replication or its deadline,
/// and what that means; none where they are not.
std::vector<std::string> clock_change_sentences(const PlanRequest& request, const std::vector<const Alternative*>& all);

/// A picture: P[T > t] of every complete one; RF with its interval where the curve meets the deadline, and the risk as a
/// level. Where the job's beginning is known, t is told by the clock.
/// @param advised what it promises at the risk is a line; null: none is.
/// @param now_s a line stands there, so long after the job's beginning; none: there is none.
/// @throws RunError where none is complete.
std::string risk_script(const PlanRequest& request, const ResultTable& table, const std::vector<Alternative>& all,
                        PictureFormat format, const Alternative* advised, std::optional<double> now_s = {});

/// Of a scenario's workstations.
std::vector<std::string> machine_names(const Scenario& scenario);
/// 0, 1, ... n - 1.
std::vector<std::size_t> first_numbers(std::size_t n);

// ---- for people ------------------------------------------------------------------------------------------------------

/// For all times of an answer.
ColumnUnit unit_of_times(const PlanRequest& request, const std::vector<const Alternative*>& all);
std::vector<const Alternative*> pointers_to(const std::vector<Alternative>& all);

Field text_field(const std::string& name, const std::string& text);
/// A time, and a difference of shares, as tables have them.
Field time_field(const std::string& name, const Estimate& s, const ColumnUnit& unit);
Field points_field(const std::string& name, const Estimate& difference);
/// An estimate of its metric.
Field estimate_field(const Alternative& one, PlanMetric metric, const ColumnUnit& unit);
/// The time that can be promised at the request's risk.
Field promised_field(const std::string& name, const Alternative& one, const ColumnUnit& unit);

/// Beyond, only programs have a table's machines.
inline constexpr std::size_t kMostListed = 50;
/// Their numbers, in tables' order.
inline std::vector<std::size_t> listed(std::size_t machines) { return first_numbers(std::min(machines, kMostListed)); }
/// "  and 7 more (--format csv names all)" of so many where that is more than a table has; else nothing.
std::vector<std::string> and_more(std::size_t machines, const std::string& where);

// ---- for programs ----------------------------------------------------------------------------------------------------

/// plan_metrics() and the safe deadline, and where the job's beginning is known what moment can be promised. JSON leaves out
/// what is not known.
void add_estimates(const PlanRequest& request, const Alternative& one, Fields& fields);
/// What was asked: "deadline" and "risk" of CSV's rows; of a job whose beginning is known "start" and "deadline_at" too.
void add_asked(const PlanRequest& request, Fields& fields);
/// Who ran it, and what came of that.
void add_run(const ResultRow& row, Fields& fields);
/// Its work by machine: X_NAME for CSV.
void add_work(const Alternative& one, const std::vector<Workstation>& machines, Fields& fields);
/// What an answer's whole begins with.
Fields whole_head(const std::string& title, const PlanRequest& request);

// ---- how much work fits; other owners --------------------------------------------------------------------------------

/// Makes a point for an amount of work [flop] and a seed. Its shares are in the same proportion for every amount.
using PointOfWork = std::function<Point(double work_flop, std::uint64_t seed)>;
/// Runs a point and gathers its makespans.
using StatisticsOf = std::function<std::shared_ptr<const PointStatistics>(const Point&)>;

/// The limit for the plan's deadline, by as many replications as it says. Work differs from the root by 1e-4 at most
/// (relatively), to the safe side. Takes some ten runs.
/// @param known_flop an amount of work, to begin with.
/// @throws what the functions throw.
WorkLimit most_work(const PointOfWork& point_of, const StatisticsOf& statistics_of, double known_flop, double risk,
                    const RunPlan& plan);

/// Fills in most_work of every complete policy, each with its split in the proportions that it has for the request's
/// work. Nothing without deadline or risk.
/// @throws RunError where a simulation cannot be completed.
void find_work_limits(std::vector<Alternative>& plans, const PlanRequest& request, const Registries& registries,
                      const StudyManner& manner);

/// The recommended policy's split with other owners.
struct IntervalTrial {
  double interval_s;
  Alternative plan;
};
/// How much a plan hangs on how long owners' intervals last, of equal machines whose owners are described by flags and
/// not measured: with intervals that people have where the given ones are far shorter, else a quarter and four times as
/// long.
std::vector<IntervalTrial> try_intervals(const Alternative& plan, const PlanRequest& request,
                                         const Registries& registries, const StudyManner& manner);
/// How long people are at a machine, or away from it: a guess, of the order of lessons and meetings, which no measurement
/// stands behind.
inline constexpr double kSessionOfPeople_s = 45 * 60;

}  // namespace nowsim
