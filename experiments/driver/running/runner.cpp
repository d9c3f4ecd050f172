// Handing batches to child processes and taking their results in order.
#include "experiments/driver/running/runner.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/batch_workers.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/series_progress.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

std::string baseline_text(const Scenario& alone) {
  return "the baseline (the job on " + alone.platform->workstations.front().name + " alone): ";
}

class Run {
 public:
  Run(const Experiment& experiment, const ExecutionPlan& execution, const RunOptions& options)
      : experiment_(experiment), execution_(execution), options_(options), outcomes_(experiment.points.size()),
        open_needs_(experiment.points.size(), 0), users_(execution.series.size()), waiting_for_(execution.series.size()),
        is_awake_(execution.series.size(), false),
        workers_(execution, jobs(), options.store != nullptr, options.here) {
    progress_.points = experiment.points.size();
    for (const auto& series : execution.series) runs_.emplace_back(series);
    for (const auto& cell : execution.cells) cells_.emplace_back(execution, cell, runs_);
    if (options_.store) find_shared_scenarios();
    if (options_.store && !options_.keeps_quick) find_quick_series();
    for (std::size_t p = 0; p < execution.points.size(); ++p) add_point(p);
  }

  std::vector<PointOutcome> finish() {
    while (step()) {
    }
    return std::move(outcomes_);
  }

 private:
  /// A series is needed. Those that nobody needs do not run.
  void wake(std::size_t s) {
    if (is_awake_[s]) return;
    is_awake_[s] = true;
    const Series& series = execution_.series[s];
    progress_.replications_expected += series.plan.replications;
    left_ += batches_of(series);
    expect(s);
    if (series.baseline && !runs_[*series.baseline].over()) waiting_for_[*series.baseline].push_back(s);
    else ready_.insert(s);
  }

  void add_point(std::size_t p) {
    const PointNeeds& needs = execution_.points[p];
    if (!needs.series) {
      ++progress_.points_done;
      return;
    }
    for (const std::size_t need : needs.all()) {
      users_[need].push_back(p);
      ++open_needs_[p];
      wake(need);
    }
    if (execution_.series[*needs.series].cell) ++open_needs_[p];  // what its cell decides
  }

  /// Hands batches out while there is room in the workers' queues, then waits for answers; false when all is done.
  bool step() {
    options_.end_if_interrupted();
    while (workers_.has_room(left_) && give_next()) {  // may go through many batches that are in the store
      options_.end_if_interrupted();
      if (options_.store) options_.store->commit_if_due();
    }
    if (workers_.is_idle()) return false;
    workers_.collect(patience_s(), [this](std::size_t s) { return runs_[s].over(); },
                     [this](const BatchAnswer& answer) { settle(answer); });
    options_.end_if_interrupted();
    if (options_.on_progress) tell();
    const auto returned = workers_.take_back();
    returned_.insert(returned_.end(), returned.begin(), returned.end());
    return true;
  }

  [[nodiscard]] std::size_t jobs() const { return static_cast<std::size_t>(std::max(1, options_.jobs)); }

  /// How far a series may run ahead of what has been reduced: with a stopping rule that may be surplus; without one it
  /// only bounds what waits in memory behind a slow batch, which is the more, the more workstations there are.
  [[nodiscard]] std::uint64_t most_ahead(std::size_t s) const {
    const Series& series = execution_.series[s];
    if (series.plan.precision > 0) return jobs();
    if (series.cell) return cells_[*series.cell].most_ahead(s, jobs());
    return jobs() * (series.scenario->size() <= kMostWithValues ? kLongestQueue : 8);
  }

  /// Gives the next batch of the first series that has one out to a worker, or takes it from the store. A series that
  /// may not run further ahead has a worker at work, so that few are passed over. False where there is none.
  bool give_next() {
    if (give_returned()) return true;
    for (auto it = ready_.begin(); it != ready_.end();) {
      const std::size_t s = *it;
      if (!runs_[s].has_next()) {
        it = ready_.erase(it);
        continue;
      }
      if (runs_[s].ahead() < most_ahead(s) && !is_underway_elsewhere(s)) {
        give(s);
        return true;
      }
      ++it;
    }
    return false;
  }

  /// Gives a batch out again whose worker met its end before it came to it.
  bool give_returned() {
    while (!returned_.empty()) {
      const BatchTask task = returned_.front();
      returned_.pop_front();
      if (runs_[task.series].over()) forget(task);
      else return workers_.give(task), true;
    }
    return false;
  }

  using StoredRange = std::tuple<std::int64_t, std::uint64_t, std::uint64_t>;  // scenario, first, count
  [[nodiscard]] StoredRange range_in_store(std::size_t s, const Batch& batch) const {
    return {(*options_.stored)[s].id, batch.first, batch.count};
  }

  /// Series whose plans differ may be of one scenario, which the store holds once: of those it is remembered what is
  /// underway, and what has been kept.
  void find_shared_scenarios() {
    std::map<std::int64_t, std::size_t> users;
    for (const auto& scenario : *options_.stored) ++users[scenario.id];
    for (const auto& scenario : *options_.stored) is_shared_.push_back(users[scenario.id] > 1);
  }

  [[nodiscard]] bool is_shared(std::size_t s) const {
    return options_.store && is_shared_[s] && !quick_s_.contains(s);
  }

  void find_quick_series() {
    for (std::size_t s = 0; s < execution_.series.size(); ++s)
      if (is_quick(execution_.series[s])) {
        quick_s_.emplace(s, 0);
        workers_.leave_packed(s);
      }
  }

  /// Whether a series' next batch is in a worker's hands for another series of the same scenario: it will be in the
  /// store when that worker is done.
  [[nodiscard]] bool is_underway_elsewhere(std::size_t s) const {
    return is_shared(s) && underway_.contains(range_in_store(s, batch_of(execution_.series[s], runs_[s].next())));
  }

  [[nodiscard]] bool is_stored(std::size_t s, const Batch& batch) const {
    if (!options_.store) return false;
    return (*options_.stored)[s].has(batch) || (is_shared(s) && kept_.contains(range_in_store(s, batch)));
  }

  void give(std::size_t s) {
    const std::uint64_t index = runs_[s].hand_out();
    const Batch batch = batch_of(execution_.series[s], index);
    --left_;
    if (is_stored(s, batch)) return take_from_store(s, index, batch);
    if (is_shared(s)) underway_.insert(range_in_store(s, batch));
    workers_.give({s, index, batch});
  }

  void take_from_store(std::size_t s, std::uint64_t index, const Batch& batch) {
    workers_.send();  // they need not wait for it
    const StoredBatch kept = options_.store->load((*options_.stored)[s], batch);
    const Series& series = execution_.series[s];
    progress_.replications_stored += batch.count;
    ++progress_.batches_stored;
    if (time_left_) time_left_->spared(s, static_cast<double>(batch.count));
    const auto statistics = statistics_of(kept.record, *series.scenario, series.plan.deadline_s, series.gathering);
    bring(s, index, {statistics, {}, kept.version});
  }

  /// How long to wait for news [s]: until the store has to commit, or until someone may have asked to stop, or wants to
  /// see that it goes on.
  [[nodiscard]] double patience_s() const {
    const double least = options_.interrupted || options_.on_progress ? 0.5 : kInfinity;
    return options_.store ? std::min(least, options_.store->commit_if_due()) : least;
  }

  /// A batch is underway no more.
  void forget(const BatchTask& task) {
    if (is_shared(task.series)) underway_.erase(range_in_store(task.series, task.batch));
  }

  /// A batch is complete, or has failed.
  void settle(const BatchAnswer& answer) {
    const BatchTask& task = answer.task;
    forget(task);
    if (runs_[task.series].over()) return;  // surplus
    // Of a single point nothing is left to say but that; among others it costs itself alone.
    if (answer.is_input && execution_.points.size() == 1) throw InputError(answer.failure);
    if (!answer.statistics) return fail(task, answer.failure);
    if (const auto quick = quick_s_.find(task.series); quick != quick_s_.end()) quick->second += answer.seconds;
    else if (options_.store) keep(answer);
    progress_.replications_done += task.batch.count;
    ++progress_.batches_done;
    took_s_ += answer.seconds;
    if (time_left_) time_left_->simulated(task.series, static_cast<double>(task.batch.count), answer.seconds);
    bring(task.series, task.index, {*answer.statistics, {}, version()});
  }

  void keep(const BatchAnswer& answer) {
    const BatchTask& task = answer.task;
    options_.store->keep((*options_.stored)[task.series], task.batch, answer.statistics->makespan_s, answer.packed,
                         answer.seconds);
    if (is_shared(task.series)) kept_.insert(range_in_store(task.series, task.batch));
  }

  void fail(const BatchTask& task, const std::string& reason) {
    if (options_.store) options_.store->note_failure((*options_.stored)[task.series], task.batch, reason);
    bring(task.series, task.index, {std::nullopt, reason, {}});
  }

  void bring(std::size_t s, std::uint64_t index, BatchOutcome outcome) {
    SeriesProgress& run = runs_[s];
    const auto& baseline = execution_.series[s].baseline;
    run.bring(index, std::move(outcome), baseline ? runs_[*baseline].statistics().get() : nullptr);
    if (execution_.series[s].cell) advance(*execution_.series[s].cell);
    else if (run.over()) end(s);
    if (options_.on_progress) tell();
  }

  void end(std::size_t s) {
    left_ -= batches_of(execution_.series[s]) - runs_[s].next();
    if (time_left_) time_left_->spared(s, kInfinity);
    if (const auto quick = quick_s_.find(s); quick != quick_s_.end() && quick->second > 0 && runs_[s].failure().empty())
      options_.store->keep_moments((*options_.stored)[s], runs_[s].statistics()->makespan_s, quick->second,
                                   runs_[s].versions());
    close(s);
  }

  void advance(std::size_t c) {
    const Cell& cell = execution_.cells[c];
    std::vector<std::size_t> going;
    for (const std::size_t s : cell.series)
      if (!runs_[s].over()) going.push_back(s);
    cells_[c].advance();
    for (const std::size_t s : going)
      if (runs_[s].over()) end(s);
    if (!cells_[c].over()) return;
    for (const std::size_t p : cell.points)
      if (--open_needs_[p] == 0) complete(p);
  }

  void tell() {
    if (!time_left_ && is_long()) estimate_time_left();
    if (time_left_) {
      progress_.left_s = time_left_->left_s();
      progress_.measured_s = took_s_;
    }
    options_.on_progress(progress_);
  }

  /// So long that what is left is worth an estimate of its own.
  [[nodiscard]] bool is_long() const {
    return std::chrono::steady_clock::now() - start_ > std::chrono::seconds(2);
  }

  /// Of series that are needed, as far as is known; what they have behind them is not told apart any more.
  void estimate_time_left() {
    time_left_.emplace();
    for (std::size_t s = 0; s < runs_.size(); ++s) expect(s);
  }

  void expect(std::size_t s) {
    if (!time_left_ || !is_awake_[s] || runs_[s].over()) return;
    const Series& series = execution_.series[s];
    const std::uint64_t done = std::min(series.plan.replications, runs_[s].next() * batch_size(*series.scenario));
    const auto left = static_cast<double>(series.plan.replications - done);
    const double all_s =
        shipped_costs().seconds(counter_.count(*series.scenario, series.engine, series.plan.replications));
    time_left_->expect(s, left, all_s / static_cast<double>(series.plan.replications));
  }

  /// A series is over: those that waited for it may begin, and the points that need it may be complete.
  void close(std::size_t s) {
    ready_.erase(s);
    ready_.insert(waiting_for_[s].begin(), waiting_for_[s].end());
    for (const std::size_t p : users_[s])
      if (--open_needs_[p] == 0) complete(p);
  }

  /// What stands for a series that a point may need.
  [[nodiscard]] const SeriesProgress* run_of(const std::optional<std::size_t>& need) const {
    return need ? &runs_[*need] : nullptr;
  }

  /// The point's own failure goes before its baseline's, whichever came first.
  void complete(std::size_t p) {
    const PointNeeds& needs = execution_.points[p];
    PointOutcome& outcome = outcomes_[p];
    outcome.series = *needs.series;
    const SeriesProgress& run = runs_[*outcome.series];
    outcome.statistics = run.statistics();
    outcome.failure = run.failure();
    outcome.version = run.versions();
    outcome.engine = execution_.series[*outcome.series].engine;
    if (const auto cell = execution_.series[*outcome.series].cell) outcome.decided = cells_[*cell].decided(p, experiment_);
    if (needs.baseline) {
      outcome.baseline = *needs.baseline;
      const SeriesProgress& baseline = runs_[*outcome.baseline];
      outcome.baseline_s = baseline.statistics()->makespan_s;
      if (outcome.failure.empty() && !baseline.failure().empty())
        outcome.failure = baseline_text(*execution_.series[*outcome.baseline].scenario) + baseline.failure();
    }
    if (const SeriesProgress* step1 = run_of(needs.step1)) {
      outcome.step1 = step1->statistics();
      if (outcome.failure.empty()) outcome.failure = step1->failure();
    }
    if (const SeriesProgress* reference = run_of(needs.reference); reference != nullptr && reference->failure().empty())
      outcome.reference = reference->statistics();
    for (const std::size_t rival : needs.rivals)
      if (runs_[rival].failure().empty()) outcome.rivals.push_back(runs_[rival].statistics());
    ++progress_.points_done;
    if (options_.on_point) options_.on_point(p, outcome);
  }

  const Experiment& experiment_;
  const ExecutionPlan& execution_;
  const RunOptions& options_;
  std::vector<PointOutcome> outcomes_;
  std::vector<int> open_needs_;                          // per point
  std::vector<std::vector<std::size_t>> users_;          // points, per series
  std::vector<std::vector<std::size_t>> waiting_for_;    // series that need this one's outcome, per series
  std::vector<bool> is_awake_;                           // per series
  std::vector<SeriesProgress> runs_;
  std::vector<CellProgress> cells_;
  std::set<std::size_t> ready_;                          // series that may have a batch to give out
  std::uint64_t left_ = 0;                               // batches that series may still have to give out
  std::deque<BatchTask> returned_;                       // given out, and to be given out again
  std::vector<bool> is_shared_;                          // per series, with a store: others are of its scenario too
  std::set<StoredRange> underway_, kept_;                // of those
  std::map<std::size_t, double> quick_s_;                // series of which moments alone are kept, and what they took
  BatchWorkers workers_;
  Progress progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double took_s_ = 0;                                    // batches, together
  std::optional<TimeLeft> time_left_;                    // once it has become a long run
  WorkCounter counter_;
};

}  // namespace

std::vector<PointOutcome> execute(const Experiment& experiment, const ExecutionPlan& execution, const RunOptions& options) {
  if (experiment.has_open_splits()) throw std::logic_error("splits are to be found before an execution plan is run");
  if (experiment.open_sizes() > 0) throw std::logic_error("sizes are to be found before an execution plan is run");
  const auto commit = [&] {
    if (options.store) options.store->commit();
  };
  try {
    auto outcomes = Run(experiment, execution, options).finish();
    commit();
    return outcomes;
  } catch (const Interrupted&) {
    commit();
    throw;
  }
}

std::vector<PointOutcome> run_experiment(const Experiment& experiment, const RunContext& context) {
  return execute(experiment, plan_execution(experiment), {context});
}

}  // namespace nowsim
