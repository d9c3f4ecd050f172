// Sizes are solved for by trials in rounds: in each, every point that is still open gets its next sizes.
#include "experiments/driver/sweeps/prepare.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
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
#include "experiments/driver/sweeps/task_workers.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/engine.hpp"
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

/// Why a trial is not made though it could be; "" where it can.
std::string excess_of(const Point& trial, double most_s) {
  if (trial.simulated() == nullptr) return "";
  const double cost_s = estimated_cost_s(trial);
  if (cost_s <= most_s) return "";
  return "its " + std::to_string(trial.plan.replications) + " replications would take " + duration_text(cost_s) +
         " on one core; sizes are tried that take up to " + duration_text(most_s);
}

/// What a trial that was simulated came to; `failure`: why it came to nothing.
struct TrialOutcome : TrialEstimate {
  std::string failure = {};

  /// For serialization.hpp.
  template <class All>
  void fields(All& all) {
    all(value, low, high, replications, longest_s, failure);
  }
};

/// Of all points of a round; those that have none stay as they are.
using TrialOutcomes = std::vector<TrialOutcome>;
void note_outcomes(TrialOutcomes& trials, const Experiment& round, const std::vector<PointOutcome>& outcomes) {
  QuantileMemo quantiles;
  for (std::size_t p = 0; p < outcomes.size(); ++p) {
    if (!outcomes[p].statistics) continue;
    const ResultRow row = summarise_point(round, round.points[p], outcomes[p], &quantiles);
    if (row.status != PointStatus::ok) {
      trials[p] = {{}, row.reason};
      continue;
    }
    const Estimate& e = row.estimates.front().front();
    trials[p] = {{e.value, e.low, e.high, row.replications, outcomes[p].statistics->makespan_s.max()}};
  }
}

/// Under what a trial's estimate is kept: all that it depends on, this program's version too; "" for a metric that is a
/// user's, whose code may change.
std::string trial_key(const Experiment& round, const ExecutionPlan& execution, std::size_t p) {
  const Metric& metric = *round.metrics.front();
  const RunPlan& plan = round.points[p].plan;
  const auto is_users = [](const Metric& m) { return find_metric(m.name) != &m; };
  if (is_users(metric) || (plan.precision > 0 && is_users(*plan.precision_of))) return "";
  const PointNeeds& needs = execution.points[p];
  std::string key = metric.name + " by nowsim " + version() + " at " + number_text(plan.confidence) + " for " +
                    number_text(plan.deadline_s) + " s" + (plan.is_of_series ? " of a series" : "");
  for (const auto& need : {needs.series, needs.baseline, needs.step1})
    if (need) {
      const Series& series = execution.series[*need];
      key += "; " + series.key + " " + std::to_string(series.plan.replications);
      if (series.plan.precision > 0)
        key += " to " + number_text(series.plan.precision) + " of " + series.plan.precision_of->name + " from " +
               std::to_string(series.plan.least) + (series.baseline ? " with it" : "");
    }
  return key;
}

struct RoundTrial {
  std::size_t open;  ///< whose it is: a place among the points that are open
  double size;
  bool is_too_costly;
};

/// Trials of one metric, which alone is estimated: an execution plan plans what its metrics gather.
struct Round {
  Experiment experiment;           ///< with a point for each
  std::vector<RoundTrial> trials;  ///< of its points
};

class Solver {
 public:
  Solver(Experiment& experiment, double most_trial_s)
      : experiment_(experiment), builder_(*experiment.source, problems_), most_trial_s_(most_trial_s) {
    for (std::size_t p = 0; p < experiment.points.size(); ++p)
      if (const auto* open = experiment.points[p].as<OpenSize>())
        open_.push_back({p, open->task, search_for(*open->task)});
    progress_.wanted = open_.size();
  }

  /// `run` runs a round; where it gives nothing, points stay open. Returns how many do not.
  std::size_t finish(const std::function<std::optional<TrialOutcomes>(const Round&, const SizeProgress&)>& run) {
    while (progress_.found < progress_.wanted) {
      ++progress_.round;
      const Round round = next_round();
      const auto outcomes = run(round, progress_);
      if (!outcomes) break;
      learn(round, *outcomes);
      progress_.found = static_cast<std::size_t>(std::ranges::count_if(open_, &OpenPoint::is_over));
    }
    for (const auto& open : open_)
      if (open.is_over()) settle(open);
    add_remarks();
    return progress_.found;
  }

  /// A trial alone, by the place of its point among those that are open.
  Round round_of(std::size_t open, double size) {
    Round round = empty_round();
    add_trial(round, open, size);
    return round;
  }

 private:
  /// The metric is the same for all points.
  [[nodiscard]] Round empty_round() const {
    Round round;
    Experiment& trials = round.experiment;
    trials.file = experiment_.file;
    trials.title = experiment_.title;
    trials.axes = experiment_.axes;
    trials.metrics = {open_.front().task->metric};
    return round;
  }

  /// Infeasible where there is no such size: what a size gets wrong is that size's. Compared with no other point.
  Point point_at(const OpenPoint& open, double size, const std::vector<const Metric*>& metrics) {
    problems_ = {};
    Point point = builder_.build_at(open.index, open.task->size_text(size), metrics);
    if (point.as<InfeasiblePoint>() == nullptr && !problems_.empty())
      point.state = InfeasiblePoint{problems_.list().front().text()};
    if (point.as<OpenSplit>() != nullptr)
      point.state = InfeasiblePoint{"its split would have to be found by simulation"};
    point.reference.reset();  // of another experiment's points
    return point;
  }

  void add_trial(Round& round, std::size_t open, double size) {
    Point point = point_at(open_[open], size, round.experiment.metrics);
    const std::string excess = excess_of(point, most_trial_s_);
    if (!excess.empty()) point.state = InfeasiblePoint{excess};
    round.trials.push_back({open, size, !excess.empty()});
    round.experiment.points.push_back(std::move(point));
  }

  Round next_round() {
    Round round = empty_round();
    for (std::size_t k = 0; k < open_.size(); ++k)
      for (const double size : open_[k].is_over() ? std::vector<double>{} : open_[k].search->wanted())
        add_trial(round, k, size);
    return round;
  }

  void learn(const Round& round, const TrialOutcomes& outcomes) {
    for (std::size_t t = 0; t < round.trials.size();) {
      const std::size_t open = round.trials[t].open;
      std::vector<SizeTrial> trials;
      for (; t < round.trials.size() && round.trials[t].open == open; ++t)
        trials.push_back(judged(round.experiment.points[t], round.trials[t], outcomes[t]));
      if (open_[open].failure.empty()) open_[open].search->learn(trials);
    }
  }

  /// What a trial gave; where it gave nothing, the point has failed, unless there was nothing to do.
  SizeTrial judged(const Point& point, const RoundTrial& trial, const TrialOutcome& outcome) {
    OpenPoint& open = open_[trial.open];
    if (point.simulated() == nullptr) return {trial.size, {}, point.reason(), trial.is_too_costly};
    const std::string at = open.task->key + " = " + open.task->size_text(trial.size);
    if (!outcome.failure.empty()) open.failure = "its size could not be found: at " + at + ": " + outcome.failure;
    const bool is_unknown = open.failure.empty() && std::isnan(outcome.value);
    if (is_unknown && outcome.longest_s == 0)  // nothing to do yet: larger sizes have a value
      return {trial.size, {}, "there the job takes no time, and " + open.task->metric->name + " has no value"};
    if (is_unknown) open.failure = "its size could not be found: " + open.task->metric->name + " has no value at " + at;
    return {trial.size, {outcome.value, outcome.low, outcome.high}, "", false, period_of(*point.scenario())};
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
    for (const auto& [remark, of] : remarked_) {
      std::string where = point_text(experiment_.axes, experiment_.points[of.points.front()].values);
      const std::size_t more = of.points.size() - 1;
      if (more > 0) where += " and " + std::to_string(more) + " more point" + (more > 1 ? "s" : "");
      const std::string detail = of.first.empty() ? "" : (more > 0 ? "; at the first of them " : ": ") + of.first;
      experiment_.remarks.push_back("solve: " + where + (where.empty() ? "" : ": ") + remark + detail);
    }
  }

  /// The point at the size that was found, in the place of the one that was open.
  void replace(Point& point, const OpenPoint& open, const Estimate& size) {
    Point solved = point_at(open, size.value, experiment_.metrics);
    solved.reference = point.reference;
    if (auto* ready = std::get_if<ReadyPoint>(&solved.state))
      ready->solved =
          std::make_shared<const SolvedSize>(SolvedSize{size, work_between(open, size), efficiency_of(*open.task)});
    point = std::move(solved);
  }

  /// |A|/(max S·sum W) at a size, and the least and most of it at its interval's ends.
  Estimate work_between(const OpenPoint& open, const Estimate& size) {
    const double value = work_at(open, size.value), low = work_at(open, size.low), high = work_at(open, size.high);
    if (std::isnan(low) || std::isnan(high)) return {value, kNotKnown, kNotKnown};
    return {value, std::min({value, low, high}), std::max({value, low, high})};
  }

  /// NaN where there is no such size, or it is not known.
  double work_at(const OpenPoint& open, double size) {
    if (!std::isfinite(size)) return kNotKnown;
    const Point point = point_at(open, size, {});
    return point.simulated() != nullptr ? zhang_yan::work_per_power_s(*point.scenario()) : kNotKnown;
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

  Experiment& experiment_;
  Problems problems_;
  PointBuilder builder_;
  double most_trial_s_;
  std::vector<OpenPoint> open_;
  std::map<std::string, Remarked> remarked_;  // by what is worth saying of sizes
  SizeProgress progress_;
};

/// A trial that takes longer than this [s] is simulated batch by batch, by all workers; one that takes longer than that
/// had better not be lost where a search is interrupted: its batches are kept.
constexpr double kLong_s = 0.5, kKept_s = 30;

/// Runs rounds: each short trial is a task of a worker, of which there is one per job for the whole search. With a
/// store, estimates are taken from there and kept.
class RoundRunner {
 public:
  RoundRunner(Solver& solver, BatchStore* store, const RunContext& context)
      : solver_(solver),
        store_(store),
        context_(context),
        workers_([this](const WorkerTask& task) { return packed(run_here(task)); }, context.jobs) {}

  /// `tell` is told of replications.
  TrialOutcomes run(const Round& round, const std::function<void(const Progress&)>& tell) {
    begin(round);
    progress_.replications_stored = recall();
    tell(progress_);
    run_short(tell);
    run_long(tell);
    if (store_) store_->commit();
    return std::move(outcomes_);
  }

  /// The same of what the store has; nothing where some of it is not there.
  std::optional<TrialOutcomes> recalled(const Round& round) {
    begin(round);
    recall();
    const auto stored = store_->find_scenarios(execution_);
    for (const auto& needs : execution_.points)
      for (const std::size_t need : needs.all())
        for (std::uint64_t b = 0; b < batches_of(execution_.series[need]); ++b)
          if (!stored[need].has(batch_of(execution_.series[need], b))) return std::nullopt;
    RunOptions run;
    run.store = store_;
    run.stored = &stored;
    note_outcomes(outcomes_, round.experiment, execute(round.experiment, execution_, run));
    return std::move(outcomes_);
  }

  /// The same with two replications of each trial, which nobody waits long for.
  TrialOutcomes rehearsed(const Round& round) {
    begin(round);
    const auto trials = unsettled([](std::size_t) { return true; });
    for (const std::size_t p : trials) outcomes_[p].failure = "it was not rehearsed";
    do_tasks(trials, true, [](std::size_t, std::uint64_t) {});
    return std::move(outcomes_);
  }

 private:
  void begin(const Round& round) {
    round_ = &round;
    execution_ = plan_execution(round.experiment);
    outcomes_.assign(round.experiment.points.size(), {});
    keys_.clear();
    progress_ = {};
    for (std::size_t p = 0; p < outcomes_.size(); ++p) {
      keys_.push_back(execution_.points[p].series ? trial_key(round.experiment, execution_, p) : "");
      progress_.replications_expected += replications_of(p);
    }
  }

  [[nodiscard]] std::uint64_t replications_of(std::size_t point) const {
    std::uint64_t sum = 0;
    for (const std::size_t need : execution_.points[point].all()) sum += execution_.series[need].plan.replications;
    return sum;
  }

  /// Takes what is known; how many replications that stands for.
  std::uint64_t recall() {
    std::uint64_t replications = 0;
    for (std::size_t p = 0; store_ && p < outcomes_.size(); ++p)
      if (const auto known = keys_[p].empty() ? std::nullopt : store_->find_trial(keys_[p])) {
        replications += replications_of(p);
        settle(p, {*known});
      }
    return replications;
  }

  /// Trials that are still to be simulated, of those for which a condition holds.
  [[nodiscard]] std::vector<std::size_t> unsettled(const auto& is_meant) const {
    std::vector<std::size_t> trials;
    for (std::size_t p = 0; p < outcomes_.size(); ++p)
      if (execution_.points[p].series && is_meant(p)) trials.push_back(p);
    return trials;
  }

  /// What is settled needs no replications any more.
  void settle(std::size_t point, const TrialOutcome& outcome) {
    outcomes_[point] = outcome;
    execution_.points[point] = {};
  }

  void keep(std::size_t point) const {
    if (store_ && !keys_[point].empty() && outcomes_[point].failure.empty())
      store_->keep_trial(keys_[point], outcomes_[point]);
  }

  [[nodiscard]] bool is_short(std::size_t p) const {
    const Point& point = round_->experiment.points[p];
    return !keys_[p].empty() && point.plan.timeout_s == 0 && !point.cell && estimated_cost_s(point) <= kLong_s;
  }

  /// Those that do not end well are left, for their failure to be found where it is told of a batch.
  void run_short(const std::function<void(const Progress&)>& tell) {
    const auto trials = unsettled([&](std::size_t p) { return is_short(p); });
    do_tasks(trials, false, [&](std::size_t p, std::uint64_t replications) {
      progress_.replications_done += replications;
      keep(p);
      tell(progress_);
    });
  }

  void do_tasks(const std::vector<std::size_t>& trials, bool is_rehearsal,
                const std::function<void(std::size_t trial, std::uint64_t replications)>& settled) {
    constexpr double kPatience_s = 1;
    std::vector<TaskWorkers::Task> tasks;
    for (const std::size_t p : trials) {
      const RoundTrial& trial = round_->trials[p];
      tasks.push_back({{trial.open, std::bit_cast<std::uint64_t>(trial.size), is_rehearsal ? 1U : 0U},
                       is_rehearsal ? kPatience_s : 0});
    }
    const auto answered = [&](std::size_t t, const std::optional<WorkerAnswer>& answer) {
      if (!answer || answer->kind != ChildOutcome::Kind::done) return;
      const auto outcome = Deserializer(answer->text).get<TrialOutcome>();
      if (!outcome.failure.empty()) return;
      const std::uint64_t replications = replications_of(trials[t]);
      settle(trials[t], outcome);
      settled(trials[t], replications);
    };
    workers_.finish(tasks, answered, [&] {
      if (store_) store_->commit_if_due();
      if (store_ && context_.interrupted && context_.interrupted()) store_->commit();
      context_.end_if_interrupted();
    });
  }

  /// In a worker.
  TrialOutcome run_here(const WorkerTask& task) {
    Experiment alone = solver_.round_of(task.number, std::bit_cast<double>(task.first)).experiment;
    if (task.count > 0) {  // a rehearsal
      alone.points.front().plan.replications = std::min<std::uint64_t>(alone.points.front().plan.replications, 2);
      alone.points.front().plan.precision = 0;
    }
    RunOptions options;
    options.here = &runner_;
    TrialOutcomes outcomes(1);
    note_outcomes(outcomes, alone, execute(alone, plan_execution(alone), options));
    return outcomes.front();
  }

  void run_long(const std::function<void(const Progress&)>& tell) {
    const auto trials = unsettled([](std::size_t) { return true; });
    if (trials.empty()) return;
    const bool keeps_batches = std::ranges::any_of(trials, [&](std::size_t p) {
      return keys_[p].empty() || estimated_cost_s(round_->experiment.points[p]) > kKept_s;
    });
    if (store_) store_->commit();  // which nobody does meanwhile where batches are not kept
    BatchStore* const store = keeps_batches ? store_ : nullptr;
    const auto stored = store ? store->add_scenarios(execution_) : std::vector<StoredScenario>{};
    RunOptions run{context_, store, store ? &stored : nullptr};
    if (run.on_progress)
      run.on_progress = [&](const Progress& p) {
        Progress all = progress_;
        all.replications_done += p.replications_done;
        all.replications_stored += p.replications_stored;
        tell(all);
      };
    note_outcomes(outcomes_, round_->experiment, execute(round_->experiment, execution_, run));
    for (const std::size_t p : trials) keep(p);
  }

  const Round* round_ = nullptr;  // that is run, with its plan, of which what is settled is no part
  ExecutionPlan execution_;
  std::vector<std::string> keys_;  // per point; "": its estimate is not kept
  TrialOutcomes outcomes_;
  Progress progress_;
  Solver& solver_;
  BatchStore* store_;
  const RunContext& context_;
  BatchRunner runner_;  // in a worker: what it has found out of platforms serves the next trial too
  TaskWorkers workers_;
};

}  // namespace

Experiment solve_sizes(Experiment experiment, BatchStore* store, const RunContext& context) {
  if (experiment.open_sizes() == 0) return experiment;
  const auto is_open = [](const Point& p) { return p.as<OpenSize>() != nullptr; };
  const SizeTask& task = *std::ranges::find_if(experiment.points, is_open)->as<OpenSize>()->task;
  const bool narrows = task.goal == SizeTask::Goal::equals;
  double simulated = 0;  // the share of the whole search
  Solver solver(experiment, std::min(kMostTrial_s, context.most_s));
  RoundRunner runner(solver, store, context);
  solver.finish([&](const Round& round, SizeProgress progress) {
    // With so much of the round done. The best of a range takes one round; of what narrows a size down each round is
    // taken for a seventh of the rest.
    const auto share = [&](double part) {
      constexpr double kRest = 6.0 / 7;
      return narrows ? 1 - std::pow(kRest, static_cast<double>(progress.round) - 1 + part) : part;
    };
    return std::optional(runner.run(round, [&, before = simulated](const Progress& p) {
      const double done = static_cast<double>(p.replications_done),
                   all = done + static_cast<double>(p.replications_stored);
      progress.share = share(all / static_cast<double>(std::max<std::uint64_t>(p.replications_expected, 1)));
      simulated = before + (all > 0 ? (progress.share - share(0)) * done / all : 0);
      progress.simulated = simulated;
      context.on_progress(progress);
    }));
  });
  return experiment;
}

std::size_t rehearse_sizes(Experiment experiment, double most_trial_s,
                           const std::function<bool(const Experiment& round)>& sees) {
  if (experiment.open_sizes() == 0) return 0;
  const RunContext context;
  Solver solver(experiment, most_trial_s);
  RoundRunner runner(solver, nullptr, context);
  return solver.finish([&](const Round& round, const SizeProgress&) {
    return sees(round.experiment) ? std::optional(runner.rehearsed(round)) : std::nullopt;
  });
}

Experiment recall_sizes(Experiment experiment, BatchStore& store) {
  if (experiment.open_sizes() == 0) return experiment;
  const RunContext context;
  Solver solver(experiment, kMostTrial_s);
  RoundRunner runner(solver, &store, context);
  solver.finish([&](const Round& round, const SizeProgress&) { return runner.recalled(round); });
  return experiment;
}

}  // namespace nowsim
