// A series on its way: batches come back in any order and count in the order of their index, until its rule is content;
// points that decide together how far they run, whose series go on in step until the best of them is told; and what is
// left of all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/points/point.hpp"
#include "sim/metrics/point_statistics.hpp"

namespace nowsim {

/// What a batch came to: what its replications leave behind, or why it could not be completed.
struct BatchOutcome {
  std::optional<BatchStatistics> statistics;
  std::string failure;
  std::string version;  ///< of the program that simulated it
};

/// Only whole batches in the order of their index count, failures too; what a stopping rule leaves over is ignored. So
/// nothing depends on which batch ends first.
class SeriesProgress {
 public:
  /// The series must outlive it.
  explicit SeriesProgress(const Series& series)
      : series_(&series), batches_(batches_of(series)),
        statistics_(std::make_shared<PointStatistics>(*series.scenario, series.plan.deadline_s, series.gathering)) {}

  /// Whether there is a batch to give out.
  [[nodiscard]] bool has_next() const { return !over_ && next_ < batches_; }
  [[nodiscard]] bool over() const { return over_; }
  /// The index of the next batch to give out.
  [[nodiscard]] std::uint64_t next() const { return next_; }
  std::uint64_t hand_out() { return next_++; }
  /// How many batches are given out and not reduced: what may turn out to be surplus.
  [[nodiscard]] std::uint64_t ahead() const { return next_ - reduced_; }

  /// A batch has come back: reduces it, and those behind it that waited for it. `baseline` is what the stopping
  /// rule's metric may need.
  void bring(std::uint64_t index, BatchOutcome outcome, const PointStatistics* baseline) {
    waiting_.emplace(index, std::move(outcome));
    if (is_held_) return;
    while (!over_ && !waiting_.empty() && waiting_.begin()->first == reduced_) {
      reduce(waiting_.begin()->second, baseline);
      waiting_.erase(waiting_.begin());
    }
    if (over_) waiting_.clear();
  }

  /// From now on batches are reduced by reduce_next() alone, and somebody else says when it is over.
  void hold() { is_held_ = true; }
  /// Of a held one: whether the batch that is to be reduced next has come back.
  [[nodiscard]] bool has_arrived() const { return !over_ && waiting_.contains(reduced_); }

  void reduce_next() {
    reduce(waiting_.begin()->second, nullptr);
    waiting_.erase(waiting_.begin());
  }

  void end() {
    over_ = true;
    waiting_.clear();
  }

  [[nodiscard]] const std::shared_ptr<PointStatistics>& statistics() const { return statistics_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// The versions of the program that simulated what has been reduced, joined by +.
  [[nodiscard]] const std::string& versions() const { return versions_; }

 private:
  void reduce(const BatchOutcome& batch, const PointStatistics* baseline) {
    if (!batch.statistics) {
      failure_ = batch.failure;
      over_ = true;
      return;
    }
    statistics_->add(*batch.statistics);
    if (versions_ != batch.version && ("+" + versions_ + "+").find("+" + batch.version + "+") == std::string::npos)
      versions_ += (versions_.empty() ? "" : "+") + batch.version;
    ++reduced_;
    over_ = reduced_ == batches_ || is_precise_enough(baseline);
  }

  [[nodiscard]] bool is_precise_enough(const PointStatistics* baseline) const {
    const RunPlan& plan = series_->plan;
    if (plan.precision <= 0) return false;
    MetricContext context{series_->scenario.get(), plan.deadline_s, plan.confidence};
    if (baseline != nullptr) context.baseline_s = &baseline->makespan_s;
    return plan.rule().satisfied(plan.watched(context, *statistics_), statistics_->makespan_s.count());
  }

  const Series* series_;
  std::uint64_t batches_;
  std::uint64_t next_ = 0, reduced_ = 0;
  std::map<std::uint64_t, BatchOutcome> waiting_;
  std::shared_ptr<PointStatistics> statistics_;
  std::string failure_, versions_;
  bool over_ = false, is_held_ = false;
};

/// Looks at whole batches in the order of their index: a series reduces its next batch when the selection needs one
/// more observation of all that are in, and only once each of them has one or has failed. So nothing depends on which
/// batch ends first.
class CellProgress {
 public:
  /// The runs are those of the execution plan's series; all three must outlive it.
  CellProgress(const ExecutionPlan& execution, const Cell& cell, std::vector<SeriesProgress>& runs)
      : execution_(&execution), cell_(&cell), runs_(&runs), metric_(deciding_metric(cell.plan.decide_by->name)),
        selection_(cell.series.size(), selection_rule(cell.plan)) {
    for (std::size_t i = 0; i < cell.series.size(); ++i) run(i).hold();
  }

  /// Batches have come back: goes on as far as they allow. Series that need no more are over.
  void advance() {
    while (!over_ && supply()) {
      observe();
      end_those_out();
    }
  }

  /// Nothing more happens, to none of its series.
  [[nodiscard]] bool over() const { return over_; }

  /// How far a series may run ahead of what has been reduced: all of the first stage is needed; then at least one batch,
  /// and of few systems more, or processes would have nothing to do.
  [[nodiscard]] std::uint64_t most_ahead(std::size_t series, std::size_t jobs) const {
    const std::uint64_t size = batch_size(*execution_->series[series].scenario),
                        first = (kFirstReplications + size - 1) / size,
                        done = (*runs_)[series].statistics()->makespans_s.size() / size;
    const std::size_t in = systems_in();
    const std::uint64_t shared = (jobs + in - 1) / std::max<std::size_t>(in, 1);
    return std::max(first - std::min(first, done), std::max<std::uint64_t>(shared, 1));
  }

  /// How a point compares; of one that failed `open`. At the end.
  [[nodiscard]] Decided decided(std::size_t point, const Experiment& experiment) const {
    Decided decided{experiment.decided, metric_->name, cell_->plan.indifference, selection_.indifference()};
    decided.cell = *experiment.points[point].cell;
    const std::size_t system = system_of(point), in = systems_in();
    if (in == 0 || !run(system).failure().empty()) return decided;
    const auto of = [&](std::size_t p) { return system_of(p); };
    const bool is_first = *std::ranges::find(cell_->points, system, of) == point;
    if (selection_.is_in(system) && in > 1) decided.standing = Standing::open;
    else if (system == selection_.leader() && is_first) decided.standing = Standing::best;
    else decided.standing = selection_.lead_over(system) <= decided.indifference ? Standing::equal : Standing::worse;
    return decided;
  }

 private:
  [[nodiscard]] SeriesProgress& run(std::size_t system) const { return (*runs_)[cell_->series[system]]; }

  [[nodiscard]] std::size_t system_of(std::size_t point) const {
    const std::size_t series = *execution_->points[point].series;
    return static_cast<std::size_t>(std::ranges::find(cell_->series, series) - cell_->series.begin());
  }

  [[nodiscard]] std::size_t systems_in() const {
    std::size_t in = 0;
    for (std::size_t i = 0; i < cell_->series.size(); ++i) in += selection_.is_in(i) ? 1 : 0;
    return in;
  }

  /// Whether its next observation needs replications that are not reduced yet.
  [[nodiscard]] bool lacks_observation(std::size_t system) const {
    return run(system).statistics()->makespans_s.size() < (selection_.observations() + 1) * kReplicationsPerMean;
  }

  [[nodiscard]] double next_observation(std::size_t system) const {
    const auto& all = run(system).statistics()->makespans_s;
    const std::span values(all.data() + selection_.observations() * kReplicationsPerMean, kReplicationsPerMean);
    const double deadline_s = execution_->series[cell_->series[system]].plan.deadline_s;
    double sum = 0;
    for (const double makespan_s : values) sum += metric_->of(makespan_s, deadline_s);
    return sum / static_cast<double>(kReplicationsPerMean);
  }

  /// Reduces what the next observation needs. False where something is still to come, or where there is no next one since
  /// replications have come to their end.
  bool supply() {
    for (;;) {
      std::vector<std::size_t> lacking;
      for (std::size_t i = 0; i < cell_->series.size(); ++i) {
        if (!selection_.is_in(i)) continue;
        if (!run(i).failure().empty()) selection_.withdraw(i);
        else if (lacks_observation(i)) lacking.push_back(i);
      }
      if (selection_.is_decided() || std::ranges::any_of(lacking, [&](std::size_t i) { return run(i).over(); })) {
        over_ = true;
        end_those_out();
        return false;
      }
      if (lacking.empty()) return true;
      if (!std::ranges::all_of(lacking, [&](std::size_t i) { return run(i).has_arrived(); })) return false;
      for (const std::size_t i : lacking) run(i).reduce_next();
    }
  }

  void observe() {
    std::vector<double> observations(cell_->series.size(), 0);
    for (std::size_t i = 0; i < observations.size(); ++i)
      if (selection_.is_in(i)) observations[i] = next_observation(i);
    selection_.add(observations);
    over_ = selection_.is_decided();
  }

  void end_those_out() {
    for (std::size_t i = 0; i < cell_->series.size(); ++i)
      if (over_ || !selection_.is_in(i)) run(i).end();
  }

  const ExecutionPlan* execution_;
  const Cell* cell_;
  std::vector<SeriesProgress>* runs_;
  const DecidingMetric* metric_;
  SelectionOfBest selection_;
  bool over_ = false;
};

/// Knows no clock: what replications took is told. A series of which some are done goes on as it was measured; the
/// others take as much more, or less, than estimated as those that were measured did.
class TimeLeft {
 public:
  /// So many replications of a series are still to come, each of which is estimated to take so long [s].
  void expect(std::size_t series, double replications, double each_s) {
    change(series, [&](Part& part) {
      part.to_come += replications;
      part.estimated_s = each_s;
    });
  }

  /// Some of them have been simulated, in so many seconds.
  void simulated(std::size_t series, double replications, double seconds) {
    change(series, [&](Part& part) {
      part.to_come -= replications;
      part.done += replications;
      part.took_s += seconds;
      measured_s_ += seconds;
      measured_as_estimated_s_ += replications * part.estimated_s;
    });
  }

  /// Some of them need not be: they are stored, or the series is over.
  void spared(std::size_t series, double replications) {
    change(series, [&](Part& part) { part.to_come -= replications; });
  }

  /// What is left, and what was measured [s].
  [[nodiscard]] double left_s() const {
    const double factor = measured_as_estimated_s_ > 0 ? measured_s_ / measured_as_estimated_s_ : 1;
    return std::max(0.0, left_measured_s_ + factor * left_estimated_s_);
  }

  [[nodiscard]] double measured_s() const { return measured_s_; }

 private:
  struct Part {
    double to_come = 0, estimated_s = 0, done = 0, took_s = 0;
    [[nodiscard]] double left_s() const { return to_come * (done > 0 ? took_s / done : estimated_s); }
  };

  void change(std::size_t series, const auto& how) {
    if (series >= parts_.size()) parts_.resize(series + 1);
    Part& part = parts_[series];
    const auto sum = [&]() -> double& { return part.done > 0 ? left_measured_s_ : left_estimated_s_; };
    sum() -= part.left_s();
    how(part);
    part.to_come = std::max(part.to_come, 0.0);
    sum() += part.left_s();
  }

  std::vector<Part> parts_;
  double left_measured_s_ = 0, left_estimated_s_ = 0;  // of series of which some are done, and of the others
  double measured_s_ = 0, measured_as_estimated_s_ = 0;  // of what is done: what it took, and was expected to
};

}  // namespace nowsim
