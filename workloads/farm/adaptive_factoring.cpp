// AF: factoring by each worker's measured mean and variance of task times.
#include <algorithm>
#include <cmath>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

/// Of which a worker's first mean and variance come; not more than FAC2's first chunk. (LB4OMP: 100; DLS4LB: min_chunk,
/// which tells no variance where it is 1.)
constexpr std::int64_t kTrialTasks = 10;

/// K_i = (D + 2·T·R - sqrt(D² + 4·D·T·R))/(2·mu_i), D = sum sigma_i²/mu_i, T = 1/sum 1/mu_i. Means and variances are of all
/// tasks that a worker has reported; who has reported none is as the fastest of the others (DLS4LB). The published formula
/// has no upper bound, nor has this: with little variance (D near 0) a chunk is the worker's part, by speeds, of all that
/// remains. (DLS4LB's code hands out ceil(N/(2P)) at most.)
std::int64_t by_mean_and_variance(LoopState& s, std::size_t worker) {
  const WorkerRecord& record = s.records[worker];
  if (!record.has_mean()) return std::min(kTrialTasks, ceil_div(s.remaining, 2 * s.workers()));
  const WorkerTotals& all = s.records.totals();
  const auto others = static_cast<double>(s.workers() - all.with_mean);
  const double d = all.spreads_s + others * all.fastest_spread_s;
  const double tr = static_cast<double>(s.remaining) / (all.rates + others * all.fastest_rate);
  return rounded_tasks((d + 2 * tr - std::sqrt(d * (d + 4 * tr))) / (2 * record.mean_s));
}

}  // namespace

Technique adaptive_factoring() {
  return {.name = "AF",
          .summary = "adaptive factoring: by measured mean and variance of each worker's task times",
          .citation = "Banicescu & Liu, HPC Symposium 2000",
          .next = by_mean_and_variance,
          .learns = Technique::Learns::task_times};
}

}  // namespace nowsim
