// Logs of jobs, replayed as owner jobs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/owner_jobs.hpp"

namespace nowsim {
namespace {

/// What it has in these spans, one behind the other.
JobLog in_spans(const JobLog& log, const ClockSpans& spans) {
  JobLog out;
  out.first = log.first;
  for (const auto& [from_s, to_s] : spans) {
    for (const auto& job : log.jobs) {
      if (job.arrival_s < from_s || job.arrival_s >= to_s) continue;
      out.jobs.push_back({out.total_s + job.arrival_s - from_s, job.demand_s});
      out.demand_s += job.demand_s;
    }
    out.total_s += to_s - from_s;
  }
  return out;
}

class LoggedJobs final : public OwnerJobSource {
 public:
  LoggedJobs(std::shared_ptr<const JobLog> log, double scale, TraceStart start, std::string file,
             std::optional<std::uint64_t> set = {})
      : log_(std::move(log)), scale_(scale), start_(start), file_(std::move(file)), set_(set) {}
  OwnerJobSequence jobs(const StreamKey& key, double before_s) const override {
    double from_s = std::fmod(start_s(key) - before_s, log_->total_s);
    if (from_s < 0) from_s += log_->total_s;
    const auto first = std::ranges::lower_bound(log_->jobs, from_s, {}, &OwnerJob::arrival_s);
    return [this, at = first, passed_s = -from_s]() mutable {
      if (at == log_->jobs.end()) {
        at = log_->jobs.begin();
        passed_s += log_->total_s;
      }
      const OwnerJob& job = *at++;
      return OwnerJob{passed_s + job.arrival_s, scale_ * job.demand_s};
    };
  }
  double forgets_within_s(int /*cores*/, std::optional<double> /*utilisation*/) const override {
    constexpr double kMostJobs = 20000;
    return std::min(log_->total_s, kMostJobs * mean_interval_s());
  }
  double mean_interval_s() const override { return log_->total_s / static_cast<double>(log_->jobs.size()); }
  double mean_demand_s() const override { return scale_ * log_->demand_s / static_cast<double>(log_->jobs.size()); }
  double period_s() const override { return log_->total_s; }
  double replayed_after_s() const override { return log_->total_s; }
  bool begins_at_random() const override { return start_ != TraceStart::beginning; }
  Dependence dependence() const override { return {is_own() ? Dependence::Kind::none : Dependence::Kind::start}; }
  std::optional<RecordedSeries> recording() const override {
    const bool is_asked_for = start_ == TraceStart::common;
    if (set_ || (!is_asked_for && start_ != TraceStart::random)) return std::nullopt;
    return RecordedSeries{clock_of(log_->first, file_, is_asked_for), log_->first, {{0, log_->total_s}}, log_, is_asked_for};
  }
  std::uint64_t content_hash() const override {
    std::uint64_t hash = 0;
    for (const auto& [arrival_s, demand_s] : log_->jobs) hash = hash_of({arrival_s, demand_s}, hash);
    return hash;
  }
  OwnerJobSourcePtr replayed_together(const ClockSpans& kept, std::uint64_t set) const override {
    constexpr double kAll = 1 - 1e-9;
    const bool is_whole = length_s(kept) >= kAll * log_->total_s;
    const auto cut = is_whole ? log_ : std::make_shared<const JobLog>(in_spans(*log_, kept));
    if (!(cut->demand_s > 0)) return nullptr;
    // Demands that are scaled to a utilisation have it in what is replayed.
    const double scale = is_whole || scale_ == 1
                             ? scale_
                             : scale_ * (log_->demand_s / log_->total_s) / (cut->demand_s / cut->total_s);
    return std::make_shared<const LoggedJobs>(cut, scale, TraceStart::common, file_, set);
  }
  std::string content() const override {
    std::string text = set_ ? " together " + std::to_string(*set_) + " scale=" + number_text(scale_) : "";
    for (const auto& [arrival_s, demand_s] : log_->jobs)
      text += " " + number_text(arrival_s) + ":" + number_text(demand_s);
    return text;
  }

 private:
  [[nodiscard]] bool is_own() const { return start_ == TraceStart::random || start_ == TraceStart::independent; }
  double start_s(const StreamKey& key) const {
    if (start_ == TraceStart::beginning) return 0;
    return (is_own() ? drawn_start(key) : drawn_start_of_set(key, set_.value_or(0))) * log_->total_s;
  }
  std::shared_ptr<const JobLog> log_;
  double scale_;
  TraceStart start_;
  std::string file_;
  std::optional<std::uint64_t> set_;  ///< with which others it begins, where that is decided
};

}  // namespace

OwnerJobSourcePtr logged_jobs(std::shared_ptr<const JobLog> log, double scale, TraceStart start, std::string file) {
  return std::make_shared<const LoggedJobs>(std::move(log), scale, start, std::move(file));
}

}  // namespace nowsim
