// Owner jobs: how cores are shared, the long-run figures, and the exact course of one workstation.
#include "sim/owners/owner_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

void require_times(const Distribution& law, const std::string& what) {
  if (!(law.mean() > 0) || !std::isfinite(law.mean()) || law.lower() < 0)
    throw InputError("owner jobs' " + what + " must be a time, never negative and on average positive; its mean is " +
                     short_number(law.mean()) + " s, its least value " + short_number(law.lower()) + " s");
}

}  // namespace

OwnerJobs::OwnerJobs(DistributionPtr interarrival_s, DistributionPtr demand_s, Discipline discipline, int cores,
                     std::string label)
    : interarrival_s_(std::move(interarrival_s)), demand_s_(std::move(demand_s)), discipline_(discipline),
      cores_(cores), label_(std::move(label)) {
  require_times(*interarrival_s_, "interval");
  require_times(*demand_s_, "demand");
  if (cores_ < 1) throw InputError("owner jobs need a machine with at least one core, not " + std::to_string(cores_));
  if (!(utilisation() < 1))
    throw InputError("owner jobs ask for " + short_number(100 * utilisation()) +
                     " % of the machine's cores and would pile up without end: it must be less than 100 %");
  beside_task_ = figures(true);
  without_task_ = figures(false);
}

double OwnerJobs::utilisation() const { return demand_s_->mean() / (interarrival_s_->mean() * cores_); }

CoreShares OwnerJobs::shares(std::size_t owner_jobs, bool with_task) const {
  const double cores = cores_, n = static_cast<double>(owner_jobs);
  if (discipline_ == Discipline::preemptive_priority) return {n > cores ? cores / n : 1, n < cores ? 1.0 : 0.0};
  const double all = with_task ? n + 1 : n;
  const double share = all > cores ? cores / all : 1;
  return {share, share};
}

/// As owner jobs share equally, the stationary law of their number n is that of a birth-death process, whatever the law
/// of demands (insensitivity of processor sharing at state-dependent speed: Cohen, Acta Informatica 12, 1979):
/// P(n) ~ a^n / (phi(1) ... phi(n)), a = mean demand / mean interval, phi(n) the cores that n owner jobs get together;
/// and a job's mean response time is its demand times E[n]/a. Exact for Poisson arrivals; for others the estimate that
/// a Poisson stream of the same rate gives. A(n) is what the task gets, or would get if it came.
OwnerJobsFigures OwnerJobs::figures(bool with_task) const {
  constexpr int kMostTerms = 10'000'000;  // enough for rounding alone to remain up to u = 0.999996
  const double load = demand_s_->mean() / interarrival_s_->mean();
  double weight = 1, all = 0, first = 0, second = 0, number = 0;
  for (int n = 0; n < kMostTerms; ++n) {
    const double left = shares(static_cast<std::size_t>(n), true).task;
    all += weight;
    first += weight * left;
    second += weight * left * left;
    number += weight * n;
    const double jobs = n + 1;
    const double ratio = load / (jobs * shares(static_cast<std::size_t>(n) + 1, with_task).owner_job);
    weight *= ratio;
    if (ratio < 1 && weight * jobs <= 1e-18 * (1 - ratio) * number) break;
    if (weight > 1e250)
      for (double* sum : {&weight, &all, &first, &second, &number}) *sum *= 1e-250;
  }
  const double mean = first / all;
  return {mean, std::sqrt(std::max(0.0, second / all - mean * mean)), number / all / load};
}

std::unique_ptr<Path> OwnerJobs::path(const StreamKey&) const {
  throw std::logic_error("owner jobs have no path of availability: it depends on what the task does");
}

void OwnerJobsOutcome::complete(double demand_s, double response_s) {
  completed += 1;
  slowdown_sum += demand_s > 0 ? response_s / demand_s : 1;
}

OwnerJobsClock::OwnerJobsClock(const OwnerJobs& owner, const StreamKey& key)
    : owner_(owner), stream_(owner, key), next_(stream_.next()) {}

double OwnerJobsClock::finish(double begin_s, double work_s) {
  if (!(work_s >= 0) || !std::isfinite(work_s))
    throw std::logic_error("a task cannot compute for " + short_number(work_s) + " s");
  idle_until(begin_s);
  if (work_s > 0) run(kInfinity, work_s, true);
  return now_s_;
}

void OwnerJobsClock::compete(double begin_s, double end_s) {
  idle_until(begin_s);
  check_goes_on(end_s);
  run(end_s, kInfinity, true);
}

void OwnerJobsClock::idle_until(double t_s) {
  check_goes_on(t_s);
  run(t_s, kInfinity, false);
}

void OwnerJobsClock::check_goes_on(double t_s) const {
  if (!(t_s >= now_s_) || !std::isfinite(t_s))
    throw std::logic_error("time cannot go from " + short_number(now_s_) + " s to " + short_number(t_s) + " s");
}

/// From event to event until the given time or the end of the task's work, whatever is first.
void OwnerJobsClock::run(double until_s, double work_s, bool with_task) {
  for (bool over = false; !over;) {
    const CoreShares shares = owner_.shares(jobs_.size(), with_task);
    const double task_end = with_task && shares.task > 0 ? now_s_ + work_s / shares.task : kInfinity;
    const double job_end = jobs_.empty() ? kInfinity : now_s_ + (jobs_.top().done_at - served_s_) / shares.owner_job;
    const double date = std::min({until_s, task_end, job_end, next_.arrival_s});
    const double lasts = date - now_s_;
    if (!jobs_.empty()) {
      outcome_.cpu_s += lasts * shares.owner_job * static_cast<double>(jobs_.size());
      served_s_ = job_end <= date ? jobs_.top().done_at : served_s_ + lasts * shares.owner_job;
    }
    work_s -= lasts * shares.task;
    now_s_ = date;
    over = date >= until_s || date >= task_end;
    while (!jobs_.empty() && jobs_.top().done_at <= served_s_) complete_first();
    while (next_.arrival_s <= now_s_) arrive();
  }
}

void OwnerJobsClock::arrive() {
  if (jobs_.empty()) served_s_ = 0;
  jobs_.push({served_s_ + next_.demand_s, next_});
  next_ = stream_.next();
}

void OwnerJobsClock::complete_first() {
  const OwnerJob& job = jobs_.top().job;
  outcome_.complete(job.demand_s, now_s_ - job.arrival_s);
  if (keeps_history_) gone_.push_back({job.arrival_s, now_s_, job.demand_s});
  jobs_.pop();
}

std::vector<OwnerJobRun> OwnerJobsClock::history() const {
  std::vector<OwnerJobRun> all = gone_;
  for (auto there = jobs_; !there.empty(); there.pop())
    all.push_back({there.top().job.arrival_s, now_s_, there.top().job.demand_s});
  return all;
}

}  // namespace nowsim
