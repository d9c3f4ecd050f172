// Trials in rounds: in each, every point that is still open gets its next sizes.
#include "experiments/driver/sweeps/solve_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/points/point_builder.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/sweeps/size_search.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/metrics/paper_models.hpp"

namespace nowsim {
namespace {

/// A point whose size is sought.
struct OpenPoint {
  std::size_t index;  ///< of the experiment
  std::shared_ptr<const SizeTask> task;
  std::unique_ptr<SizeSearch> search;
  std::string failure = {};

  [[nodiscard]] bool is_over() const { return !failure.empty() || search->wanted().empty(); }
};

/// Makes points at sizes that are tried. What a size gets wrong is that size's: it does not exist.
class TrialPoints {
 public:
  explicit TrialPoints(const ExperimentSource& source) : builder_(source, problems_) {}

  /// Infeasible where there is no such size. Compared with no other point.
  Point at(const OpenPoint& open, double size, const std::vector<const Metric*>& metrics) {
    problems_ = {};
    Point point = builder_.build_at(open.index, open.task->size_text(size), metrics);
    if (point.as<InfeasiblePoint>() == nullptr && !problems_.empty())
      point.state = InfeasiblePoint{problems_.list().front()};
    if (point.as<OpenSplit>() != nullptr)
      point.state = InfeasiblePoint{"its split would have to be found by simulation"};
    point.reference.reset();  // of another experiment's points
    return point;
  }

 private:
  Problems problems_;
  PointBuilder builder_;
};

/// Why a trial is not made though it could be; "" where it can.
std::string excess_of(const Point& trial, double most_s) {
  if (trial.simulated() == nullptr) return "";
  const double cost_s = estimated_cost_s(trial);
  if (cost_s <= most_s) return "";
  return "its " + std::to_string(trial.plan.replications) + " replications would take " + duration_text(cost_s) +
         " on one core; sizes are tried that take up to " + duration_text(most_s);
}

/// A trial of a round: whose it is, and where in the round's experiment it is simulated.
struct RoundTrial {
  OpenPoint* open;
  double size;
  std::size_t point;
  bool is_too_costly;
};

/// Trials of one metric, which alone is estimated: an execution plan plans what its metrics gather.
struct Round {
  Experiment experiment;
  std::vector<RoundTrial> trials;
};

/// How far a search is, round by round, and how much of that was simulated.
class SearchShares {
 public:
  explicit SearchShares(const SizeTask& task) : narrows_(task.goal == SizeTask::Goal::equals) {}

  void begin_round(std::size_t round) {
    simulated_before_ = simulated_;
    round_ = round;
  }
  void tell(SizeProgress& progress, const Progress& round) {
    const double done = static_cast<double>(round.replications_done),
                 all = done + static_cast<double>(round.replications_stored);
    progress.share = share(all / static_cast<double>(std::max<std::uint64_t>(round.replications_expected, 1)));
    simulated_ = simulated_before_ + (all > 0 ? (progress.share - share(0)) * done / all : 0);
    progress.simulated = simulated_;
  }

 private:
  /// In the round, of which so much is done. The best of a range takes one round; of what narrows a size down each
  /// round is taken for a seventh of the rest.
  [[nodiscard]] double share(double part) const {
    constexpr double kRest = 6.0 / 7;
    return narrows_ ? 1 - std::pow(kRest, static_cast<double>(round_) - 1 + part) : part;
  }

  bool narrows_;
  std::size_t round_ = 1;
  double simulated_ = 0, simulated_before_ = 0;
};

/// Runs rounds, with a store or without.
std::vector<PointOutcome> run_round(const Experiment& round, BatchStore* store, const RunContext& context,
                                    SearchShares& shares, SizeProgress progress) {
  const ExecutionPlan execution = plan_execution(round);
  const auto stored = store ? store->add_scenarios(execution) : std::vector<StoredScenario>{};
  RunOptions run{context, store, store ? &stored : nullptr};
  shares.begin_round(progress.round);
  const auto tell = [&](const Progress& p) {
    shares.tell(progress, p);
    context.on_progress(progress);
  };
  if (context.on_progress) tell({});
  if (context.on_progress) run.on_progress = tell;
  return run_committed(round, execution, run);
}

/// The same of what is stored; nothing where some of it is not.
std::optional<std::vector<PointOutcome>> recall_round(const Experiment& round, BatchStore& store) {
  const ExecutionPlan execution = plan_execution(round);
  const auto stored = store.find_scenarios(execution);
  for (const auto& needs : execution.points)
    for (const std::size_t need : needs.all())
      for (std::uint64_t b = 0; b < batches_of(execution.series[need]); ++b)
        if (!stored[need].has(batch_of(execution.series[need], b))) return std::nullopt;
  RunOptions run;
  run.store = &store;
  run.stored = &stored;
  return execute(round, execution, run);
}

/// The round with two replications of each trial, which nobody waits long for.
Experiment rehearsed(Experiment round) {
  constexpr double kPatience_s = 1;
  for (auto& point : round.points) {
    point.plan.replications = std::min<std::uint64_t>(point.plan.replications, 2);
    point.plan.precision = 0;
    point.plan.timeout_s = kPatience_s;
  }
  return round;
}

class Solver {
 public:
  Solver(Experiment& experiment, double most_trial_s)
      : experiment_(experiment), trial_points_(*experiment.source), most_trial_s_(most_trial_s) {
    for (std::size_t p = 0; p < experiment.points.size(); ++p)
      if (const auto* open = experiment.points[p].as<OpenSize>())
        open_.push_back({p, open->task, search_for(*open->task)});
    progress_.wanted = open_.size();
  }

  /// `run` runs a round's experiment; where it gives nothing, points stay open. Returns how many do not.
  std::size_t finish(
      const std::function<std::optional<std::vector<PointOutcome>>(const Experiment&, const SizeProgress&)>& run) {
    while (progress_.found < progress_.wanted) {
      ++progress_.round;
      const Round round = next_round();
      const auto outcomes = run(round.experiment, progress_);
      if (!outcomes) break;
      learn(round, *outcomes);
      progress_.found = static_cast<std::size_t>(std::ranges::count_if(open_, &OpenPoint::is_over));
    }
    for (const auto& open : open_)
      if (open.is_over()) settle(open);
    add_remarks();
    return progress_.found;
  }

 private:
  /// The metric is the same for all points.
  Round next_round() {
    Round round;
    Experiment& trials = round.experiment;
    trials.file = experiment_.file;
    trials.title = experiment_.title;
    trials.axes = experiment_.axes;
    trials.metrics = {open_.front().task->metric};
    for (auto& open : open_)
      for (const double size : open.is_over() ? std::vector<double>{} : open.search->wanted()) {
        Point point = trial_points_.at(open, size, trials.metrics);
        const std::string excess = excess_of(point, most_trial_s_);
        if (!excess.empty()) point.state = InfeasiblePoint{excess};
        round.trials.push_back({&open, size, trials.points.size(), !excess.empty()});
        trials.points.push_back(std::move(point));
      }
    return round;
  }

  static void learn(const Round& round, const std::vector<PointOutcome>& outcomes) {
    QuantileMemo quantiles;
    for (auto it = round.trials.begin(); it != round.trials.end();) {
      OpenPoint& open = *it->open;
      std::vector<SizeTrial> trials;
      for (; it != round.trials.end() && it->open == &open; ++it)
        trials.push_back(judged(round.experiment, *it, outcomes[it->point], quantiles));
      if (open.failure.empty()) open.search->learn(trials);
    }
  }

  /// What a trial gave; where it gave nothing, the point has failed, unless there was nothing to do.
  static SizeTrial judged(const Experiment& round, const RoundTrial& trial, const PointOutcome& outcome,
                          QuantileMemo& quantiles) {
    const Point& point = round.points[trial.point];
    OpenPoint& open = *trial.open;
    if (point.simulated() == nullptr) return {trial.size, {}, point.reason(), trial.is_too_costly};
    const ResultRow row = summarise_point(round, point, outcome, &quantiles);
    const std::string at = open.task->key + " = " + open.task->size_text(trial.size);
    if (row.status != PointStatus::ok) open.failure = "its size could not be found: at " + at + ": " + row.reason;
    const Estimate value = row.estimates.empty() ? Estimate{} : row.estimates.front().front();
    const bool is_unknown = open.failure.empty() && std::isnan(value.value);
    if (is_unknown && outcome.statistics->makespan_s.mean() == 0)  // nothing to do yet: larger sizes have a value
      return {trial.size, {}, "there the job takes no time, and " + open.task->metric->name + " has no value"};
    if (is_unknown)
      open.failure = "its size could not be found: " + open.task->metric->name + " has no value at " + at;
    return {trial.size, value, "", false, period_of(*point.scenario())};
  }

  /// By as much as this a size grows until the slowest machine's part has grown by one, where parts are in proportion.
  static double period_of(const Scenario& scenario) {
    const auto& all = scenario.platform->workstations;
    double sum = 0, least = kInfinity;
    for (std::size_t i = first_worker(scenario); i < all.size(); ++i) {
      sum += all[i].speed_flops;
      least = std::min(least, all[i].speed_flops);
    }
    return sum / least;
  }

  void settle(const OpenPoint& open) {
    Point& point = experiment_.points[open.index];
    if (!open.failure.empty()) {
      point.state = FailedPoint{open.failure};
      return;
    }
    const SizeAnswer answer = open.search->answer();
    if (!answer.remark.empty()) {
      Remarked& remarked = remarked_[answer.remark];
      if (remarked.points.empty()) remarked.first = answer.detail;
      remarked.points.push_back(open.index);
    }
    if (answer.none.empty()) return replace(point, open, answer.size);
    point.state = UnsolvedPoint{answer.none};
  }

  /// One for all points of which the same is to be said.
  void add_remarks() {
    const ResultTable summary{experiment_.title, experiment_.file, experiment_.axes, {}, {}};
    for (const auto& [remark, of] : remarked_) {
      ResultRow row;
      row.values = experiment_.points[of.points.front()].values;
      std::string where = point_text(summary, row);
      const std::size_t more = of.points.size() - 1;
      if (more > 0) where += " and " + std::to_string(more) + " more point" + (more > 1 ? "s" : "");
      const std::string detail = of.first.empty() ? "" : (more > 0 ? "; at the first of them " : ": ") + of.first;
      experiment_.remarks.push_back("solve: " + where + (where.empty() ? "" : ": ") + remark + detail);
    }
  }

  /// The point at the size that was found, in the place of the one that was open.
  void replace(Point& point, const OpenPoint& open, const Estimate& size) {
    Point solved = trial_points_.at(open, size.value, experiment_.metrics);
    solved.reference = point.reference;
    if (auto* ready = std::get_if<ReadyPoint>(&solved.state))
      ready->solved = std::make_shared<const SolvedSize>(
          SolvedSize{size, work_between(open, size), efficiency_of(*open.task)});
    point = std::move(solved);
  }

  /// |A|/(max S·sum W) at a size, and the least and most of it at its interval's ends.
  Estimate work_between(const OpenPoint& open, const Estimate& size) {
    const double value = work_at(open, size.value), low = work_at(open, size.low), high = work_at(open, size.high);
    if (std::isnan(low) || std::isnan(high)) return {value, kUnknown, kUnknown};
    return {value, std::min({value, low, high}), std::max({value, low, high})};
  }

  /// NaN where there is no such size, or it is not known.
  double work_at(const OpenPoint& open, double size) {
    if (!std::isfinite(size)) return kUnknown;
    const Point point = trial_points_.at(open, size, {});
    return point.simulated() != nullptr ? zhang_yan::work_per_power_s(*point.scenario()) : kUnknown;
  }

  /// What an efficiency is at the sizes; nothing where something else was asked for.
  static std::optional<SolvedEfficiency> efficiency_of(const SizeTask& task) {
    if (task.goal != SizeTask::Goal::equals || !task.metric->efficiency) return std::nullopt;
    return SolvedEfficiency{*task.metric->efficiency, task.target};
  }

  /// Points of which the same is worth saying, and what it means for the first of them.
  struct Remarked {
    std::vector<std::size_t> points;
    std::string first;
  };

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  Experiment& experiment_;
  TrialPoints trial_points_;
  double most_trial_s_;
  std::vector<OpenPoint> open_;
  std::map<std::string, Remarked> remarked_;  // by what is worth saying of sizes
  SizeProgress progress_;
};

}  // namespace

Experiment solve_sizes(Experiment experiment, BatchStore* store, const RunContext& context) {
  if (experiment.open_sizes() == 0) return experiment;
  const auto is_open = [](const Point& p) { return p.as<OpenSize>() != nullptr; };
  SearchShares shares(*std::ranges::find_if(experiment.points, is_open)->as<OpenSize>()->task);
  Solver(experiment, std::min(kMostTrial_s, context.most_s)).finish([&](const Experiment& round, const SizeProgress& progress) {
    return std::optional(run_round(round, store, context, shares, progress));
  });
  return experiment;
}

std::size_t rehearse_sizes(Experiment experiment, double most_trial_s,
                           const std::function<bool(const Experiment& round)>& sees) {
  using Outcomes = std::optional<std::vector<PointOutcome>>;
  if (experiment.open_sizes() == 0) return 0;
  return Solver(experiment, most_trial_s).finish([&](const Experiment& round, const SizeProgress&) -> Outcomes {
    if (!sees(round)) return std::nullopt;
    const Experiment shorter = rehearsed(round);
    try {
      return execute(shorter, plan_execution(shorter), {});
    } catch (const InputError&) {  // for the run to tell
      return std::nullopt;
    }
  });
}

Experiment recall_sizes(Experiment experiment, BatchStore& store) {
  if (experiment.open_sizes() > 0)
    Solver(experiment, kMostTrial_s).finish([&](const Experiment& round, const SizeProgress&) {
      return recall_round(round, store);
    });
  return experiment;
}

}  // namespace nowsim
