// Handing batches to child processes and taking their results in order.
#include "experiments/runner.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <list>
#include <map>

#include "sim/child_process.hpp"
#include "sim/engine_simgrid.hpp"

namespace nowsim {
namespace {

/// What a batch came to: its replications, or why it could not be completed.
struct BatchOutcome {
  std::vector<RunResult> results;
  std::string failure;
};

/// The batches of one scenario: which are still to be given out, and what has come back. Only whole batches in the
/// order of their index count, failures too; what a stopping rule leaves over is ignored. So nothing depends on which
/// batch ends first.
class Series {
 public:
  Series(const Scenario& scenario, const RunPlan& plan, std::function<void(const RunResult&)> take,
         std::function<bool(std::uint64_t)> enough)
      : scenario_(&scenario), total_(plan.replications), size_(batch_size(scenario)), take_(std::move(take)),
        enough_(std::move(enough)) {}

  [[nodiscard]] bool has_next() const { return !over_ && next_ * size_ < total_; }
  [[nodiscard]] bool over() const { return over_ || reduced_ * size_ >= total_; }
  std::uint64_t hand_out() { return next_++; }
  [[nodiscard]] Batch batch(std::uint64_t index) const {
    return {index * size_, std::min(size_, total_ - index * size_)};
  }
  [[nodiscard]] const Scenario& scenario() const { return *scenario_; }
  /// A batch has come back: reduces it, and those behind it that waited for it. Returns replications reduced.
  std::uint64_t bring(std::uint64_t index, BatchOutcome outcome) {
    std::uint64_t count = 0;
    waiting_.emplace(index, std::move(outcome));
    while (!over_ && !waiting_.empty() && waiting_.begin()->first == reduced_) {
      const BatchOutcome batch = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      failure_ = batch.failure;
      if (!failure_.empty()) {
        over_ = true;
        break;
      }
      for (const auto& run : batch.results) take_(run);
      count += batch.results.size();
      ++reduced_;
      over_ = enough_(std::min(total_, reduced_ * size_));
    }
    return count;
  }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// How many batches are given out and not reduced: what may turn out to be surplus.
  [[nodiscard]] std::uint64_t ahead() const { return next_ - reduced_; }

 private:
  const Scenario* scenario_;
  std::uint64_t total_, size_;
  std::function<void(const RunResult&)> take_;
  std::function<bool(std::uint64_t)> enough_;
  std::uint64_t next_ = 0, reduced_ = 0;
  std::map<std::uint64_t, BatchOutcome> waiting_;
  std::string failure_;
  bool over_ = false;
};

/// A child at work on a batch, which may need several children one after another.
struct Worker {
  std::size_t series;
  std::uint64_t index;
  Batch batch;
  BatchProgress progress;
  std::vector<RunResult> results;
  ChildProcess child;
};

class Run {
 public:
  Run(const Experiment& experiment, int jobs, const std::function<void(const Progress&)>& on_progress)
      : experiment_(experiment), jobs_(static_cast<std::size_t>(std::max(1, jobs))), on_progress_(on_progress),
        outcomes_(experiment.points.size()), open_series_(experiment.points.size(), 0) {
    progress_.points = experiment.points.size();
    for (std::size_t p = 0; p < experiment.points.size(); ++p) add_point(p);
  }

  std::vector<PointOutcome> finish() {
    while (step()) {
    }
    return std::move(outcomes_);
  }

 private:
  void add_point(std::size_t p) {
    const Point& point = experiment_.points[p];
    if (!point.scenario) {
      ++progress_.points_done;
      return;
    }
    PointOutcome& outcome = outcomes_[p];
    const RunPlan& plan = point.plan;
    outcome.statistics.emplace(*point.scenario, plan.deadline_s);
    add_series(p, *point.scenario, [&outcome](const RunResult& run) { outcome.statistics->add(run); },
               [&outcome, &plan](std::uint64_t n) {
                 return plan.rule().satisfied(mean_estimate(outcome.statistics->makespan_s, plan.confidence), n);
               });
    if (!point.baseline) return;
    outcome.baseline_s.emplace();
    add_series(p, *point.baseline, [&outcome](const RunResult& run) { outcome.baseline_s->add(run.makespan_s); },
               [&outcome, &plan](std::uint64_t n) {
                 return plan.rule().satisfied(mean_estimate(*outcome.baseline_s, plan.confidence), n);
               });
  }

  void add_series(std::size_t point, const Scenario& scenario, std::function<void(const RunResult&)> take,
                  std::function<bool(std::uint64_t)> enough) {
    series_.emplace_back(scenario, experiment_.points[point].plan, std::move(take), std::move(enough));
    point_of_.push_back(point);
    ++open_series_[point];
    progress_.replications_expected += experiment_.points[point].plan.replications;
  }

  /// Starts children while there is room, then waits for one; false when all is done.
  bool step() {
    while (workers_.size() < jobs_ && start_next()) {
    }
    if (workers_.empty()) return false;
    wait_for_any();
    return true;
  }

  /// How far a series may run ahead of what has been reduced: with a stopping rule that may be surplus; without one it
  /// only bounds what waits in memory behind a slow batch.
  [[nodiscard]] std::uint64_t most_ahead(std::size_t s) const {
    return experiment_.points[point_of_[s]].plan.precision > 0 ? jobs_ : 8 * jobs_;
  }

  /// The first series that has a batch to give out.
  bool start_next() {
    while (first_open_ < series_.size() && !series_[first_open_].has_next()) ++first_open_;
    for (std::size_t s = first_open_; s < series_.size(); ++s) {
      if (!series_[s].has_next() || series_[s].ahead() >= most_ahead(s)) continue;
      const std::uint64_t index = series_[s].hand_out();
      const Batch batch = series_[s].batch(index);
      workers_.push_back(Worker{s, index, batch, {}, {}, start_child(s, batch, {})});
      return true;
    }
    return false;
  }

  ChildProcess start_child(std::size_t s, const Batch& batch, const BatchProgress& progress) {
    const Scenario& scenario = series_[s].scenario();
    return ChildProcess([&scenario, batch, progress] { return run_simgrid(scenario, batch, progress); });
  }

  void wait_for_any() {
    std::vector<pollfd> fds;
    for (const auto& w : workers_) {
      fds.push_back({w.child.result_fd(), POLLIN, 0});
      fds.push_back({w.child.error_fd(), POLLIN, 0});
    }
    if (poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) throw RunError("cannot wait for child processes");
    for (auto worker = workers_.begin(); worker != workers_.end();)
      worker = worker->child.pump() ? settle(worker) : std::next(worker);
  }

  using Workers = std::list<Worker>;
  /// A child has ended: its batch goes on in another child, or is complete, or has failed.
  Workers::iterator settle(Workers::iterator worker) {
    const ChildOutcome outcome = worker->child.outcome();
    Series& series = series_[worker->series];
    if (series.over()) return workers_.erase(worker);  // surplus
    if (outcome.kind == ChildOutcome::Kind::done) {
      unpack_results(outcome.bytes, worker->results, worker->progress);
      if (worker->progress.done < worker->batch.count) {
        workers_.push_back(Worker{worker->series, worker->index, worker->batch, worker->progress,
                                  std::move(worker->results), start_child(worker->series, worker->batch, worker->progress)});
        return workers_.erase(worker);
      }
    }
    const std::size_t s = worker->series;
    progress_.replications_done += series.bring(worker->index, {std::move(worker->results), outcome.sentence});
    if (series.over()) close(s);
    if (on_progress_) on_progress_(progress_);
    workers_.erase(worker);
    // Surplus children of a series that is over are ended, not waited for.
    std::erase_if(workers_, [&](const Worker& w) { return series_[w.series].over(); });
    return workers_.begin();
  }

  /// A series is over. The point's own failure goes before its baseline's, whichever came first.
  void close(std::size_t s) {
    const std::size_t point = point_of_[s];
    if (const std::string& failure = series_[s].failure(); !failure.empty()) failures_[point].emplace(s, failure);
    if (--open_series_[point] > 0) return;
    ++progress_.points_done;
    if (const auto found = failures_.find(point); found != failures_.end())
      outcomes_[point].failure = found->second.begin()->second;
  }

  const Experiment& experiment_;
  std::size_t jobs_;
  const std::function<void(const Progress&)>& on_progress_;
  std::vector<PointOutcome> outcomes_;
  std::vector<int> open_series_;  // per point
  std::map<std::size_t, std::map<std::size_t, std::string>> failures_;  // per point, by series
  std::deque<Series> series_;
  std::vector<std::size_t> point_of_;
  std::size_t first_open_ = 0;
  Workers workers_;
  Progress progress_;
};

}  // namespace

std::vector<PointOutcome> run_experiment(const Experiment& experiment, int jobs,
                                         const std::function<void(const Progress&)>& on_progress) {
  return Run(experiment, jobs, on_progress).finish();
}

}  // namespace nowsim
