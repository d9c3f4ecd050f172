// Owner jobs: how cores are shared, the long-run figures, and the exact course of one workstation.
#include "sim/owners/owner_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {
OwnerJobs::OwnerJobs(OwnerJobSourcePtr source, Discipline discipline, int cores, std::string label, std::string identity,
                     OwnerStart start)
    : source_(std::move(source)), discipline_(discipline), cores_(cores), label_(std::move(label)),
      identity_(identity.empty() ? label_ : std::move(identity)), start_(start) {
  if (cores_ < 1) throw InputError("owner jobs need a machine with at least one core, not " + std::to_string(cores_));
  if (!(utilisation() < 1))
    throw InputError("owner jobs ask for " + short_number(100 * utilisation()) + " % of the machine's cores (" +
                     short_number(source_->mean_demand_s()) + " s every " + short_number(source_->mean_interval_s()) +
                     " s, on " + std::to_string(cores_) + (cores_ == 1 ? " core" : " cores") +
                     ") and would pile up without end: it must be less than 100 %");
}

double OwnerJobs::utilisation() const { return source_->mean_demand_s() / (source_->mean_interval_s() * cores_); }

std::optional<double> OwnerJobs::expected_left_s(double seconds) const {
  const auto jobs = source_->expected_jobs(seconds);
  if (!jobs) return std::nullopt;
  return std::max(0.0, seconds - (1 - beside_task().mean) * *jobs * source_->mean_interval_s());
}

std::optional<std::shared_ptr<const OwnerJobs>> OwnerJobs::replayed_together(const ClockSpans& kept, std::uint64_t set,
                                                                             SharedParts& parts) const {
  const OwnerJobSourcePtr source = source_->replayed_together(kept, set);
  if (!source || !(source->mean_demand_s() < source->mean_interval_s() * cores_)) return std::nullopt;
  const std::string name = "together " + identity_ + source->content();
  return parts.get<OwnerJobs>(name, [&] {
    return std::make_shared<const OwnerJobs>(source, discipline_, cores_, label_, identity_, start_);
  });
}

std::string OwnerJobs::describe() const {
  if (has_exact_moments()) return label_;
  const OwnerJobsFigures& all = beside_task();
  const auto text = [](double value, double error) {
    return short_number(value) + (error > 0 ? " ± " + short_number(error) : "");
  };
  return label_ + ", in the long run mean " + text(all.mean, all.mean_error) + " and sd " + text(all.sd, all.sd_error) +
         " (standard errors of a pilot simulation)";
}

CoreShares OwnerJobs::shares(std::size_t owner_jobs, bool with_task) const {
  const double cores = cores_, n = static_cast<double>(owner_jobs);
  if (discipline_ == Discipline::preemptive_priority) return {n > cores ? cores / n : 1, n < cores ? 1.0 : 0.0};
  const double all = with_task ? n + 1 : n;
  const double share = all > cores ? cores / all : 1;
  return {share, share};
}

std::unique_ptr<Path> OwnerJobs::path(const StreamKey&) const {
  throw std::logic_error("owner jobs have no path of availability: it depends on what the task does");
}

void OwnerJobsOutcome::complete(double demand_s, double response_s) {
  completed += 1;
  slowdown_sum += demand_s > 0 ? response_s / demand_s : 1;
}

OwnerJobStream::OwnerJobStream(const OwnerJobs& owner, const StreamKey& key) {
  if (owner.start() == OwnerStart::fresh) {
    jobs_ = owner.source().jobs(key);
  } else if (const ResidualLifePtr left_s = owner.source().found_demand_s()) {
    jobs_ = owner.source().jobs(key);
    Stream stream({key.seed, key.replication, key.workstation, first_of(key.purpose)});
    const auto& chances = owner.chance_of_at_most();
    const auto found = std::ranges::upper_bound(chances, stream.uniform()) - chances.begin();
    for (auto k = found; k > 0; --k) {
      const double u = stream.uniform();
      first_.push_back({0, left_s->at(u, stream.uniform())});
    }
  } else {
    const double before_s = owner.source().forgets_within_s(owner.cores());
    OwnerJobsClock clock(owner, OwnerJobStream(owner.source().jobs(key, before_s)));
    clock.idle_until(before_s);
    first_ = clock.present_and_next();
    for (OwnerJob& job : first_) job.arrival_s = std::max(0.0, job.arrival_s - before_s);
    jobs_ = std::move(clock.others().jobs_);
    before_s_ = before_s;
  }
}

std::deque<OwnerJob> OwnerJobsClock::present_and_next() const {
  std::deque<OwnerJob> all;
  for (auto there = jobs_; !there.empty(); there.pop())
    all.push_back({there.top().job.arrival_s, there.top().done_at - served_s_});
  all.push_back(next_);
  return all;
}

OwnerJobsClock::OwnerJobsClock(const OwnerJobs& owner, OwnerJobStream jobs)
    : owner_(owner), stream_(std::move(jobs)), next_(stream_.next()) {}

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
