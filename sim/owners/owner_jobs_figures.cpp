// Long-run figures of owner jobs: in closed form where one is known, else by a pilot simulation of fixed random numbers.
#include <algorithm>
#include <cmath>

#include "sim/owners/owner_jobs.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {
namespace {

/// As owner jobs share equally, the stationary law of their number n is that of a birth-death process, whatever the law
/// of demands (insensitivity of processor sharing at state-dependent speed: Cohen, Acta Informatica 12, 1979):
/// P(n) ~ a^n / (phi(1) ... phi(n)), a = mean demand / mean interval, phi(n) the cores that n owner jobs get together;
/// and a job's mean response time is its demand times E[n]/a. A(n) is what the task gets.
OwnerJobsFigures poisson_figures(const OwnerJobs& owner) {
  constexpr int kMostTerms = 10'000'000;  // enough for rounding alone to remain up to u = 0.999996
  const double load = owner.source().mean_demand_s() / owner.source().mean_interval_s();
  double weight = 1, all = 0, first = 0, second = 0, number = 0;
  for (int n = 0; n < kMostTerms; ++n) {
    const double left = owner.shares(static_cast<std::size_t>(n), true).task;
    all += weight;
    first += weight * left;
    second += weight * left * left;
    number += weight * n;
    const double jobs = n + 1;
    const double ratio = load / (jobs * owner.shares(static_cast<std::size_t>(n) + 1, true).owner_job);
    weight *= ratio;
    if (ratio < 1 && weight * jobs <= 1e-18 * (1 - ratio) * number) break;
    if (weight > 1e250)
      for (double* sum : {&weight, &all, &first, &second, &number}) *sum *= 1e-250;
  }
  const double mean = first / all;
  return {mean, std::sqrt(std::max(0.0, second / all - mean * mean)), number / all / load};
}

/// Looks at the machine at a random moment of each of many equal parts of the time: after a first batch that does not
/// count, in some that do, each of whole periods. Errors are those of the batches' means, which know nothing of each
/// other where a batch is long beside what the machine remembers.
OwnerJobsFigures pilot_figures(const OwnerJobs& owner) {
  constexpr double kJobs = 1 << 17, kBatches = 32;
  const double time_s = kJobs * owner.source().mean_interval_s(), period_s = owner.source().period_s();
  double batch_s = time_s / kBatches;
  if (period_s > 0) batch_s = period_s * std::max(1.0, std::round(batch_s / period_s));
  const double batches = std::clamp(std::floor(time_s / batch_s), 4.0, kBatches);
  const int samples = static_cast<int>(kJobs / batches);  // per batch
  const StreamKey key{0, 0, kAllWorkstations, Purpose::owner};  // no workstation's
  OwnerJobsClock clock(owner, OwnerJobStream(owner.source().jobs(key)));
  Stream moments({0, 0, kAllWorkstations, Purpose::resampling});
  clock.compete(0, batch_s);
  const OwnerJobsOutcome before = clock.outcome();
  std::vector<double> first, second;
  Moments mean, square;
  for (int batch = 1; batch <= batches; ++batch) {
    double sum = 0, squares = 0;
    for (int k = 0; k < samples; ++k) {
      clock.compete(clock.now_s(), batch_s * (batch + (k + moments.uniform()) / samples));
      const double left = owner.shares(clock.present(), true).task;
      sum += left;
      squares += left * left;
    }
    mean.add(first.emplace_back(sum / samples));
    square.add(second.emplace_back(squares / samples));
  }
  const double sd = std::sqrt(std::max(0.0, square.mean() - mean.mean() * mean.mean()));
  Moments spread;  // of what each batch contributes to the sd
  for (std::size_t b = 0; b < first.size(); ++b)
    spread.add(sd > 0 ? (second[b] - 2 * mean.mean() * first[b]) / (2 * sd) : 0);
  const double root = std::sqrt(batches);
  const OwnerJobsOutcome& after = clock.outcome();
  return {mean.mean(), sd, (after.slowdown_sum - before.slowdown_sum) / (after.completed - before.completed),
          mean.sd() / root, spread.sd() / root};
}

}  // namespace

const std::vector<double>& OwnerJobs::chance_of_at_most() const {
  std::call_once(chances_once_, [this] {
    constexpr double kLeft = 1e-16;
    constexpr std::size_t kMost = 1'000'000;
    const double load = source_->mean_demand_s() / source_->mean_interval_s();
    std::vector<double> weights{1};
    for (double sum = 1; weights.size() < kMost;) {  // as in poisson_figures(), scaled where it grows
      const std::size_t n = weights.size();
      const double ratio = load / (static_cast<double>(n) * shares(n, false).owner_job);
      weights.push_back(weights.back() * ratio);
      sum += weights.back();
      if (ratio < 1 && weights.back() < kLeft * (1 - ratio) * sum) break;
      if (sum > 1e250) {
        for (double& weight : weights) weight *= 1e-250;
        sum *= 1e-250;
      }
    }
    double all = 0, sum = 0;
    for (const double weight : weights) all += weight;
    for (const double weight : weights) chances_.push_back((sum += weight) / all);
    chances_.back() = 1;
  });
  return chances_;
}

const OwnerJobsFigures& OwnerJobs::beside_task() const {
  std::call_once(figures_once_, [this] {
    figures_ = source_->is_poisson() ? poisson_figures(*this) : pilot_figures(*this);
    if (source_->is_poisson() || cores_ > 1) return;
    // One core is never idle beside a task; and owner jobs that go first leave it free for 1 - u of the time.
    const double u = utilisation();
    figures_.mean = 1 - u, figures_.mean_error = 0;
    if (discipline_ == Discipline::preemptive_priority) figures_.sd = std::sqrt(u * (1 - u)), figures_.sd_error = 0;
  });
  return figures_;
}

}  // namespace nowsim
