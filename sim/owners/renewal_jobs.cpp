// Owner jobs at independent intervals, and the same ones by the hour.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {
namespace {

void require_times(const Distribution& law, const std::string& what) {
  if (!(law.mean() > 0) || !std::isfinite(law.mean()) || law.lower() < 0)
    throw InputError("owner jobs' " + what + " must be a time, never negative and on average positive; its mean is " +
                     short_number(law.mean()) + " s, its least value " + short_number(law.lower()) + " s");
}

class RenewalJobs final : public OwnerJobSource {
 public:
  RenewalJobs(DistributionPtr interval_s, DistributionPtr demand_s)
      : interval_s_(std::move(interval_s)), demand_s_(std::move(demand_s)) {
    require_times(*interval_s_, "interval");
    require_times(*demand_s_, "demand");
  }
  OwnerJobSequence jobs(const StreamKey& key, double /*before_s*/) const override {
    return [this, stream = Stream(key), arrival_s = 0.0]() mutable {
      arrival_s += interval_s_->quantile(stream.uniform());
      return OwnerJob{arrival_s, demand_s_->quantile(stream.uniform())};
    };
  }
  ResidualLifePtr found_demand_s() const override { return is_poisson() ? residual_life(*demand_s_) : nullptr; }
  double forgets_within_s(int cores, std::optional<double> utilisation) const override {
    constexpr double kTimes = 50, kMostJobs = 1e5;
    const auto square_over_mean = [](const Distribution& law) { return law.mean() + law.variance() / law.mean(); };
    const double own = demand_s_->mean() / (interval_s_->mean() * cores), u = utilisation.value_or(own);
    const double intervals = own / u, rest = 1 - u;
    const double forgets_s = (square_over_mean(*demand_s_) + intervals * square_over_mean(*interval_s_)) / (rest * rest);
    return std::min(kTimes * forgets_s, kMostJobs * intervals * interval_s_->mean());
  }
  double mean_interval_s() const override { return interval_s_->mean(); }
  double mean_demand_s() const override { return demand_s_->mean(); }
  bool is_poisson() const override {
    const InverseTransform& law = interval_s_->transform();
    return law.form == InverseTransform::Form::exponential && law.offset == 0;
  }

 private:
  DistributionPtr interval_s_, demand_s_;
};

class HourlyJobs final : public OwnerJobSource {
 public:
  HourlyJobs(OwnerJobSourcePtr jobs, DiurnalPattern pattern, int cores)
      : jobs_(std::move(jobs)), pattern_(std::move(pattern)) {
    const double asked = jobs_->mean_demand_s() / (jobs_->mean_interval_s() * cores);
    for (const double mean : pattern_.mean_by_hour) speeds_.push_back((1 - mean) / asked);
    const double sum = std::accumulate(speeds_.begin(), speeds_.end(), 0.0);
    mean_speed_ = sum / static_cast<double>(speeds_.size());
    of_period_s_ = sum * kHour_s;
  }
  OwnerJobSequence jobs(const StreamKey& key, double before_s) const override {
    double from_s = std::fmod(diurnal_start_s(pattern_, key) - before_s, period_s());
    if (from_s < 0) from_s += period_s();
    const std::size_t first = std::min(static_cast<std::size_t>(from_s / kHour_s), speeds_.size() - 1);
    return [this, jobs = jobs_->jobs(key), hour = first, hour_end_s = static_cast<double>(first + 1) * kHour_s - from_s,
            now_s = 0.0, passed_s = 0.0]() mutable {
      const OwnerJob job = jobs();
      double left_s = job.arrival_s - std::exchange(passed_s, job.arrival_s);  // of the time that passes for arrivals
      // A time without jobs may be longer than anybody wants to count its hours.
      if (const double periods = std::floor(left_s / of_period_s_) - 1; periods >= 1) {
        const double skipped_s = periods * static_cast<double>(speeds_.size()) * kHour_s;
        now_s += skipped_s, hour_end_s += skipped_s, left_s -= periods * of_period_s_;
      }
      for (double room_s = 0; left_s > (room_s = speeds_[hour] * (hour_end_s - now_s)); left_s -= room_s) {
        now_s = hour_end_s;
        hour_end_s += kHour_s;
        hour = (hour + 1) % speeds_.size();
      }
      if (left_s > 0) now_s += left_s / speeds_[hour];
      return OwnerJob{now_s, job.demand_s};
    };
  }
  double forgets_within_s(int cores, std::optional<double> /*utilisation*/) const override {
    constexpr double kCalm = 0.95;  // in hours that ask for more, jobs wait for calmer ones
    const double most = 1 - *std::ranges::min_element(pattern_.mean_by_hour);
    return most < kCalm ? jobs_->forgets_within_s(cores, most) : 2 * period_s();
  }
  double mean_interval_s() const override { return jobs_->mean_interval_s() / mean_speed_; }
  double mean_demand_s() const override { return jobs_->mean_demand_s(); }
  std::optional<double> expected_jobs(double seconds) const override {
    if (!pattern_.start_s) return std::nullopt;
    return integral_by_hour(speeds_, *pattern_.start_s, seconds) / jobs_->mean_interval_s();
  }
  double period_s() const override { return static_cast<double>(speeds_.size()) * kHour_s; }
  Dependence dependence() const override { return {Dependence::Kind::clock}; }

 private:
  OwnerJobSourcePtr jobs_;
  DiurnalPattern pattern_;
  std::vector<double> speeds_;
  double mean_speed_, of_period_s_;  ///< the latter: the time that passes for arrivals in a period
};

}  // namespace

OwnerJobSourcePtr renewal_jobs(DistributionPtr interval_s, DistributionPtr demand_s) {
  return std::make_shared<const RenewalJobs>(std::move(interval_s), std::move(demand_s));
}

OwnerJobSourcePtr jobs_by_hour(OwnerJobSourcePtr jobs, DiurnalPattern pattern, int cores) {
  return std::make_shared<const HourlyJobs>(std::move(jobs), std::move(pattern), cores);
}

}  // namespace nowsim
