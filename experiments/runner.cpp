// Handing batches to child processes and taking their results in order.
#include "experiments/runner.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <set>
#include <tuple>

#include "experiments/series_run.hpp"
#include "experiments/store.hpp"
#include "sim/text.hpp"
#include "sim/worker_process.hpp"

namespace nowsim {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A worker process and the batch it is at.
struct Worker {
  std::unique_ptr<WorkerProcess> process;
  bool busy = false;
  std::size_t series = 0;
  std::uint64_t index = 0;
  Batch batch;
  Clock::time_point start;
};

class Run {
 public:
  Run(const Experiment& experiment, const Study& study, const RunOptions& options)
      : experiment_(experiment), study_(study), options_(options), outcomes_(experiment.points.size()),
        open_needs_(experiment.points.size(), 0), users_(study.series.size()), waiting_for_(study.series.size()),
        replaces_(study.series.size()), is_awake_(study.series.size(), false) {
    progress_.points = experiment.points.size();
    for (const auto& series : study.series) runs_.emplace_back(series);
    for (std::size_t p = 0; p < study.points.size(); ++p) add_point(p);
  }

  std::vector<PointOutcome> finish() {
    while (step()) {
    }
    return std::move(outcomes_);
  }

 private:
  /// A series is needed: by a point, or in place of one that met contention. Those that nobody needs do not run.
  void wake(std::size_t s) {
    if (is_awake_[s]) return;
    is_awake_[s] = true;
    const Series& series = study_.series[s];
    progress_.replications_expected += series.plan.replications;
    if (series.baseline && !runs_[acting(*series.baseline)].over()) waiting_for_[*series.baseline].push_back(s);
    else ready_.insert(s);
  }

  /// The series that stands for this one: itself, or what it fell back to.
  [[nodiscard]] std::size_t acting(std::size_t s) const {
    return runs_[s].contention().empty() ? s : *study_.series[s].fallback;
  }

  void add_point(std::size_t p) {
    const PointNeeds& needs = study_.points[p];
    if (!needs.series) {
      ++progress_.points_done;
      return;
    }
    for (const auto& need : {needs.series, needs.baseline}) {
      if (!need) continue;
      users_[*need].push_back(p);
      ++open_needs_[p];
      wake(*need);
    }
  }

  /// Hands batches out while there are idle workers, then waits for one; false when all is done.
  bool step() {
    end_if_interrupted();
    while (busy_ < jobs() && give_next()) {  // may go through many batches that are in the store
      end_if_interrupted();
      if (options_.store) options_.store->commit_if_due();
    }
    if (busy_ == 0) return false;
    wait_for_any();
    return true;
  }

  void end_if_interrupted() const {
    if (options_.interrupted && options_.interrupted()) throw Interrupted();
  }

  [[nodiscard]] std::size_t jobs() const { return static_cast<std::size_t>(std::max(1, options_.jobs)); }

  /// How far a series may run ahead of what has been reduced: with a stopping rule that may be surplus; without one it
  /// only bounds what waits in memory behind a slow batch.
  [[nodiscard]] std::uint64_t most_ahead(std::size_t s) const {
    return study_.series[s].plan.precision > 0 ? jobs() : 8 * jobs();
  }

  /// Gives the next batch of the first series that has one out to a child, or takes it from the store. A series that
  /// may not run further ahead has a child at work, so that few are passed over.
  bool give_next() {
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

  /// Whether a series' next batch is in a child's hands for another series of the same scenario, whose plans differ: it
  /// will be in the store when that child is done, and a store holds it once.
  [[nodiscard]] bool is_underway_elsewhere(std::size_t s) const {
    if (!options_.store) return false;
    const Batch batch = batch_of(study_.series[s], runs_[s].next());
    return std::any_of(workers_.begin(), workers_.end(), [&](const Worker& w) {
      return w.busy && w.series != s && (*options_.stored)[w.series].id == (*options_.stored)[s].id && w.batch.first == batch.first &&
             w.batch.count == batch.count;
    });
  }

  [[nodiscard]] bool is_stored(std::size_t s, const Batch& batch) const {
    if (!options_.store) return false;
    const StoredScenario& scenario = (*options_.stored)[s];
    return scenario.has(batch) || kept_.contains({scenario.id, batch.first, batch.count});
  }

  void give(std::size_t s) {
    const std::uint64_t index = runs_[s].hand_out();
    const Batch batch = batch_of(study_.series[s], index);
    if (is_stored(s, batch)) {
      StoredBatch kept = options_.store->load((*options_.stored)[s], batch);
      progress_.replications_stored += batch.count;
      ++progress_.batches_stored;
      return bring(s, index, {std::move(kept.record), {}, std::move(kept.version), {}});
    }
    hand_to(idle_worker(), s, index, batch);
  }

  /// A worker without a task; made when there is none. It sees the study as it is now, which never changes.
  Worker& idle_worker() {
    const auto idle = std::find_if(workers_.begin(), workers_.end(), [](const Worker& w) { return !w.busy; });
    Worker& worker = idle != workers_.end() ? *idle : workers_.emplace_back();
    if (!worker.process)
      worker.process = std::make_unique<WorkerProcess>(
          [this, batches = std::make_shared<BatchRunner>()](const WorkerTask& task) { return work(*batches, task); });
    return worker;
  }

  static constexpr char kRecord = 'r', kContention = 'c';  // what an answer's first byte says that the rest is

  /// In the worker.
  [[nodiscard]] std::string work(BatchRunner& batches, const WorkerTask& task) const {
    const Series& series = study_.series[task.number];
    try {
      return kRecord + pack(batches.run(series.engine, *series.scenario, task.batch));
    } catch (const Contended& e) {
      return kContention + std::string(e.what());
    }
  }

  void hand_to(Worker& worker, std::size_t s, std::uint64_t index, const Batch& batch) {
    worker.busy = true;
    ++busy_;
    worker.series = s;
    worker.index = index;
    worker.batch = batch;
    worker.start = Clock::now();
    worker.process->give({s, batch});
  }

  void set_idle(Worker& worker) {
    worker.busy = false;
    --busy_;
  }

  /// How long to wait for news [ms]: until the first batch's time is up, until the store has to
  /// commit, or until someone may have asked to stop.
  [[nodiscard]] int patience_ms() const {
    double least = options_.interrupted ? 0.5 : 1e9;
    if (options_.store) least = std::min(least, options_.store->commit_if_due());
    for (const auto& w : workers_)
      if (const double limit = study_.series[w.series].plan.timeout_s; w.busy && limit > 0)
        least = std::min(least, std::max(0.0, limit - seconds_since(w.start)));
    return least >= 1e9 ? -1 : static_cast<int>(1000 * std::min(least, 3600.0)) + 1;
  }

  void wait_for_any() {
    std::vector<pollfd> fds;
    for (const auto& w : workers_)
      if (w.busy) fds.push_back({w.process->fd(), POLLIN, 0});
    if (poll(fds.data(), fds.size(), patience_ms()) < 0 && errno != EINTR) throw RunError("cannot wait for worker processes");
    end_if_interrupted();
    auto news = fds.begin();
    for (auto& worker : workers_) {
      if (!worker.busy) continue;
      const bool has_news = (news++)->revents != 0;
      if (auto outcome = has_news ? worker.process->take() : std::nullopt) settle(worker, std::move(*outcome));
      else if (is_late(worker)) give_up(worker);
    }
    end_surplus();
  }

  [[nodiscard]] bool is_late(const Worker& worker) const {
    const double limit = study_.series[worker.series].plan.timeout_s;
    return limit > 0 && seconds_since(worker.start) > limit;
  }

  void give_up(Worker& worker) {
    const std::string limit = short_number(study_.series[worker.series].plan.timeout_s);
    worker.process.reset();
    fail(worker, "a batch of " + std::to_string(worker.batch.count) + " replications took longer than " + limit + " s (run.timeout)");
  }

  void fail(Worker& worker, const std::string& reason) {
    set_idle(worker);
    if (options_.store) options_.store->note_failure((*options_.stored)[worker.series], worker.batch, reason);
    bring(worker.series, worker.index, {std::nullopt, reason, {}, {}});
  }

  /// A batch is complete, or has failed.
  void settle(Worker& worker, ChildOutcome outcome) {
    if (worker.process->is_dead()) worker.process.reset();
    if (runs_[worker.series].over()) return set_idle(worker);  // surplus
    if (outcome.kind != ChildOutcome::Kind::done) return fail(worker, outcome.sentence);
    const char what = outcome.bytes.front();
    outcome.bytes.erase(0, 1);
    if (what == kContention) return settle_contention(worker, outcome.bytes);
    set_idle(worker);
    BatchRecord record = unpack_record(outcome.bytes, worker.batch, study_.series[worker.series].scenario->size());
    if (options_.store) {
      const StoredScenario& scenario = (*options_.stored)[worker.series];
      options_.store->keep(scenario, record, outcome.bytes, seconds_since(worker.start));
      kept_.emplace(scenario.id, worker.batch.first, worker.batch.count);
    }
    progress_.replications_done += worker.batch.count;
    ++progress_.batches_done;
    bring(worker.series, worker.index, {std::move(record), {}, version(), {}});
  }

  /// Contention counts, as everything, in the order of batches.
  void settle_contention(Worker& worker, const std::string& where) {
    if (!study_.series[worker.series].fallback)
      return fail(worker, where + "; the engine direct cannot compute that, 'auto' and 'simgrid' can");
    set_idle(worker);
    bring(worker.series, worker.index, {std::nullopt, {}, {}, where});
  }

  /// Batches of series that are over are ended, not waited for.
  void end_surplus() {
    for (auto& worker : workers_)
      if (worker.busy && runs_[worker.series].over()) {
        worker.process.reset();
        set_idle(worker);
      }
  }

  void bring(std::size_t s, std::uint64_t index, BatchOutcome outcome) {
    SeriesRun& run = runs_[s];
    const auto& baseline = study_.series[s].baseline;
    run.bring(index, std::move(outcome), baseline ? &runs_[acting(*baseline)].statistics()->makespan_s : nullptr);
    if (run.over()) close(s);
    if (options_.on_progress) options_.on_progress(progress_);
  }

  /// A series is over: those that waited for it may begin, and the points that need it may be complete.
  void close(std::size_t s) {
    ready_.erase(s);
    if (const std::size_t other = acting(s); other != s && !runs_[other].over()) {
      replaces_[other].push_back(s);
      return wake(other);
    }
    for (const std::size_t other : replaces_[s]) close(other);
    ready_.insert(waiting_for_[s].begin(), waiting_for_[s].end());
    for (const std::size_t p : users_[s])
      if (--open_needs_[p] == 0) complete(p);
  }

  /// The point's own failure goes before its baseline's, whichever came first.
  void complete(std::size_t p) {
    const PointNeeds& needs = study_.points[p];
    PointOutcome& outcome = outcomes_[p];
    outcome.series = acting(*needs.series);
    const SeriesRun& run = runs_[*outcome.series];
    outcome.statistics = run.statistics();
    outcome.failure = run.failure();
    outcome.version = run.versions();
    outcome.engine = study_.series[*outcome.series].engine;
    if (needs.baseline) {
      outcome.baseline = acting(*needs.baseline);
      const SeriesRun& baseline = runs_[*outcome.baseline];
      outcome.baseline_s = baseline.statistics()->makespan_s;
      if (outcome.failure.empty()) outcome.failure = baseline.failure();
    }
    ++progress_.points_done;
    if (options_.on_point) options_.on_point(p, outcome);
  }

  const Experiment& experiment_;
  const Study& study_;
  const RunOptions& options_;
  std::vector<PointOutcome> outcomes_;
  std::vector<int> open_needs_;                          // per point
  std::vector<std::vector<std::size_t>> users_;          // points, per series
  std::vector<std::vector<std::size_t>> waiting_for_;    // series that need this one's outcome, per series
  std::vector<std::vector<std::size_t>> replaces_;       // series that fell back to this one, per series
  std::vector<bool> is_awake_;                           // per series
  std::vector<SeriesRun> runs_;
  std::set<std::size_t> ready_;                          // series that may have a batch to give out
  std::set<std::tuple<std::int64_t, std::uint64_t, std::uint64_t>> kept_;  // in the store since: scenario, first, count
  std::vector<Worker> workers_;
  std::size_t busy_ = 0;
  Progress progress_;
};

}  // namespace

std::vector<PointOutcome> run_study(const Experiment& experiment, const Study& study, const RunOptions& options) {
  return Run(experiment, study, options).finish();
}

std::vector<PointOutcome> run_experiment(const Experiment& experiment, int jobs,
                                         const std::function<void(const Progress&)>& on_progress) {
  RunOptions options;
  options.jobs = jobs;
  options.on_progress = on_progress;
  return run_study(experiment, plan_study(experiment), options);
}

}  // namespace nowsim
