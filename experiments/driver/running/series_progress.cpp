#include "experiments/driver/running/series_progress.hpp"

#include <algorithm>

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

void TimeLeft::change(std::size_t series, const auto& how) {
  if (series >= parts_.size()) parts_.resize(series + 1);
  Part& part = parts_[series];
  const auto sum = [&]() -> double& { return part.done > 0 ? left_measured_s_ : left_estimated_s_; };
  sum() -= part.left_s();
  how(part);
  part.to_come = std::max(part.to_come, 0.0);
  sum() += part.left_s();
}

void TimeLeft::expect(std::size_t series, double replications, double each_s) {
  change(series, [&](Part& part) {
    part.to_come += replications;
    part.estimated_s = each_s;
  });
}

void TimeLeft::simulated(std::size_t series, double replications, double seconds) {
  change(series, [&](Part& part) {
    part.to_come -= replications;
    part.done += replications;
    part.took_s += seconds;
    measured_s_ += seconds;
    measured_as_estimated_s_ += replications * part.estimated_s;
  });
}

void TimeLeft::spared(std::size_t series, double replications) {
  change(series, [&](Part& part) { part.to_come -= replications; });
}

double TimeLeft::left_s() const {
  const double factor = measured_as_estimated_s_ > 0 ? measured_s_ / measured_as_estimated_s_ : 1;
  return std::max(0.0, left_measured_s_ + factor * left_estimated_s_);
}

}  // namespace nowsim
