// Reducing a series' batches in order, and its stopping rule.
#include "experiments/driver/running/series_progress.hpp"

namespace nowsim {

SeriesProgress::SeriesProgress(const Series& series)
    : series_(&series), batches_(batches_of(series)),
      statistics_(std::make_shared<PointStatistics>(*series.scenario, series.plan.deadline_s, series.gathering)) {}

void SeriesProgress::bring(std::uint64_t index, BatchOutcome outcome, const PointStatistics* baseline) {
  if (is_held_) {
    waiting_.emplace(index, std::move(outcome));
    return;
  }
  if (!over_ && index == reduced_) reduce(outcome, baseline);
  else waiting_.emplace(index, std::move(outcome));
  while (!over_ && !waiting_.empty() && waiting_.begin()->first == reduced_) {
    reduce(waiting_.begin()->second, baseline);
    waiting_.erase(waiting_.begin());
  }
  if (over_) waiting_.clear();
}

void SeriesProgress::reduce_next() {
  reduce(waiting_.begin()->second, nullptr);
  waiting_.erase(waiting_.begin());
}

void SeriesProgress::end() {
  over_ = true;
  waiting_.clear();
}

void SeriesProgress::reduce(const BatchOutcome& batch, const PointStatistics* baseline) {
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

bool SeriesProgress::is_precise_enough(const PointStatistics* baseline) const {
  const RunPlan& plan = series_->plan;
  if (plan.precision <= 0) return false;
  MetricContext context{series_->scenario.get(), plan.deadline_s, plan.confidence};
  if (baseline != nullptr) context.baseline_s = &baseline->makespan_s;
  return plan.rule().satisfied(plan.watched(context, *statistics_), statistics_->makespan_s.count());
}

}  // namespace nowsim
