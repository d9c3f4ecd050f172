// A point of a sweep: what is simulated for it and how often, what of it is still to be found, or why it cannot be run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/clock_moment.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/split_task.hpp"
#include "sim/statistics/multiple_comparisons.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// What may run a point: the direct engine where it is exact and else SimGrid, or one of them alone.
enum class EngineChoice { automatic, direct, simgrid };
/// "auto", "direct", "simgrid".
const char* engine_name(EngineChoice choice);
/// All of them, in the order of EngineChoice.
const std::vector<std::string>& engine_names();

/// A point's share of the block `run:`.
struct RunPlan {
  std::uint64_t replications = 1000;  ///< a fixed number, or the most where it may stop earlier
  double precision = 0;               ///< relative half-width to stop at; 0: a fixed number
  const Metric* precision_of = find_metric("tau");  ///< whose half-width
  std::uint64_t least = 100;          ///< the fewest replications before a precision may stop
  double confidence = 0.95;
  double indifference = 0;            ///< of a selection, which stops points together (selection_rule()); 0: none
  const Metric* decide_by = find_metric("tau");  ///< what it compares
  double deadline_s = 0;              ///< tau_d of the risk factor; 0: none
  std::optional<ClockMoment> start = {};  ///< by the clock, where that is said: owners know it
  double timeout_s = 0;               ///< the longest a batch, a split's search, a point's making may take; 0: no limit
  bool timeout_was_asked = true;      ///< by the user: what takes long is meant
  std::uint64_t seed = 1;
  EngineChoice engine = EngineChoice::automatic;
  const VarianceReduction* variance_reduction = &kNoVarianceReduction;
  bool is_of_series = false;          ///< as MetricContext's
  bool runs_steps = true;             ///< of measured owners: what intervals of means need (parameter_steps.hpp)

  [[nodiscard]] bool decides() const { return indifference > 0; }
  /// Whether there may be fewer replications than the most.
  [[nodiscard]] bool may_stop() const { return precision > 0 || decides(); }
  [[nodiscard]] StoppingRule rule() const { return {precision, least, replications}; }
  /// The interval that the stopping rule looks at.
  [[nodiscard]] Estimate watched(const MetricContext& context, const PointStatistics& statistics) const {
    return precision_of->estimate(context, statistics).front();
  }
};

/// The value of one key that a point is to have: where a metric reaches a value, or where it is best. Immutable.
struct SizeTask {
  enum class Goal { equals, largest, smallest };

  std::string key;  ///< the one that is sought
  const Metric* metric = nullptr;
  Goal goal = Goal::equals;
  double target = 0;        ///< equals: the metric's value, in its unit
  bool in_percent = false;  ///< how people wrote it
  double tolerance = 0.01;  ///< equals: |metric - target| <= tolerance·|target| ends the search
  double from = 1, to = 1;  ///< 0 < from < to; whole numbers where `whole`
  bool whole = true;        ///< the key takes whole numbers only
  bool rising = false;      ///< equals: only where the metric rises through it; a fall at the smallest sizes is passed

  /// A size as a setting's text: exact, and without a unit.
  [[nodiscard]] std::string size_text(double size) const;
  /// A value of the metric for people: "24.3 %", "200 s".
  [[nodiscard]] std::string value_text(double value) const;
  /// "job.size from 10 to 1e+07".
  [[nodiscard]] std::string range_text() const;
  /// What is asked for: "E = 30 %", "speedup is largest".
  [[nodiscard]] std::string goal_text() const;
  /// What is to be said where there is none: "no job.size from 10 to 1e+07 has E = 30 %".
  [[nodiscard]] std::string none_text() const;
};

/// "largest", "smallest", as `solve.goal` has them: all but `equals`, in the order of SizeTask::Goal.
const std::vector<std::string>& goal_words();
const char* goal_word(SizeTask::Goal goal);

/// The most values of a range of which the best is sought: each is simulated.
inline constexpr double kMostSizesOfARange = 1000;

/// What became of a point, or will.
enum class PointStatus { ok, infeasible, unsolved, failed, pending };
/// "ok", "infeasible" (of unsolved ones too), "failed", "pending": as files, stores and people have it.
const char* status_name(PointStatus status);
/// The status of this name; nothing where there is none.
std::optional<PointStatus> status_named(const std::string& name);

/// What is simulated for a point.
struct PointScenarios {
  std::shared_ptr<const Scenario> scenario;  ///< its own, never null
  std::shared_ptr<const Scenario> baseline;  ///< the whole work on one workstation, where speedup is asked for
  std::shared_ptr<const Scenario> step1;     ///< the same split in proportion, where a metric compares with it

  /// Those that there are.
  [[nodiscard]] std::vector<const Scenario*> all() const;
};

/// A problem kept it from being read: no experiment comes of it.
struct UnreadPoint {};
/// It cannot be realised.
struct InfeasiblePoint {
  std::string reason;
};
/// Infeasible since no size solves it, as simulation has shown, or since it would take too long: claims miss it.
struct UnsolvedPoint {
  std::string reason;
};
/// Its split or size could not be found, or its making took too long.
struct FailedPoint {
  std::string reason;
};
/// Its size is to be found by simulation (prepare.hpp).
struct OpenSize {
  std::optional<PointScenarios> provisional;  ///< at the smallest size, or where that is infeasible the largest
  std::shared_ptr<const SizeTask> task;
};
/// Its split is to be found by simulation (prepare.hpp).
struct OpenSplit {
  PointScenarios provisional;  ///< with the shares of step (1)
  std::shared_ptr<const SplitTask> task;
};
/// It can be run.
struct ReadyPoint {
  PointScenarios scenarios;
  std::shared_ptr<const SplitReport> split_report = nullptr;  ///< how its split was found; null: without simulation
  std::shared_ptr<const SolvedSize> solved = nullptr;         ///< the size that was solved for
};

struct Point {
  std::vector<std::string> values;  ///< of the swept keys, as written
  RunPlan plan;
  std::optional<std::size_t> reference;  ///< the experiment's point that this one is compared with
  std::optional<std::size_t> cell;  ///< where something is decided, the first point that differs in the decided key alone
  std::variant<UnreadPoint, InfeasiblePoint, UnsolvedPoint, FailedPoint, OpenSize, OpenSplit, ReadyPoint> state;

  /// Its state where it is this one, else null.
  template <class State>
  [[nodiscard]] const State* as() const {
    return std::get_if<State>(&state);
  }
  /// What is simulated for it, as far as it is known; of open points provisional. Null where there is nothing.
  [[nodiscard]] const PointScenarios* simulated() const;
  /// The first of these; null where there is nothing.
  [[nodiscard]] std::shared_ptr<const Scenario> scenario() const;
  /// Before it is run: pending, infeasible, unsolved or failed.
  [[nodiscard]] PointStatus status() const;
  /// Why it cannot be run; "" where it may be.
  [[nodiscard]] std::string reason() const;
};

// ---- what `run.decide` asks: which value of a swept key is best, by which metric, and how it is told ----

/// Replications whose mean is one observation of a selection: so many that skewed times' means are near enough to
/// normal for what is stated (tests/sim/statistics/multiple_comparisons_test.cpp); whole pairs of antithetic ones.
inline constexpr std::uint64_t kReplicationsPerMean = 20;
/// The fewest replications of each system: the first stage.
inline constexpr std::uint64_t kFirstReplications = 200;

/// A metric that is the mean of something of each replication, from T and the deadline; the smaller, the better.
struct DecidingMetric {
  const char* name;
  bool is_share;  ///< from 0 to 1: an indifference is then no share of it, but a part of 1
  double (*of)(double makespan_s, double deadline_s);
};
std::span<const DecidingMetric> deciding_metrics();
/// Null for metrics that decide nothing.
const DecidingMetric* deciding_metric(const std::string& name);

/// How a plan's selection is to be made. The plan has one.
SelectionRule selection_rule(const RunPlan& plan);

/// How a point compares with those that differ from it in the decided key alone: the one that is selected; measured
/// within the indifference of it; further off; not told yet when the replications ended.
enum class Standing { best, equal, worse, open };
/// "best", "equal", "worse", "open".
const char* standing_name(Standing standing);
const std::vector<std::string>& standing_names();

/// What has been decided about a point.
struct Decided {
  std::string key, metric;
  double asked = 0;         ///< the indifference as it was asked for
  double indifference = 0;  ///< in the metric's unit
  Standing standing = Standing::open;
  std::size_t cell = 0;     ///< the first point of those that it is compared with
};

}  // namespace nowsim
