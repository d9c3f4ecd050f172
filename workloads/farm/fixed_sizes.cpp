// FSC and mFSC: chunks of one size, which is computed.
#include <algorithm>
#include <cmath>

#include "sim/statistics/portable.hpp"

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

/// k = (sqrt(2)·N·h/(sigma·P·sqrt(ln P)))^(2/3), sigma on a machine of the workers' mean speed, rounded up
/// (DLS4LB; LB4OMP cuts off). Where that is more than ceil(N/P), as with tasks that are all the same or one worker, it
/// is that: a larger chunk would leave workers idle, for which the formula is not made.
std::int64_t fixed_size(LoopState& s, std::size_t) {
  const auto n = static_cast<double>(s.tasks), p = static_cast<double>(s.workers());
  const double sigma_s = s.parameters.cv * s.parameters.mean_flop / s.mean_speed_flops;
  const double lost = std::sqrt(2.0) * n * s.parameters.overhead_s, won = sigma_s * p * std::sqrt(portable::log(p));
  const double part = std::ceil(n / p);
  return static_cast<std::int64_t>(won > 0 ? std::min(part, std::ceil(portable::pow(lost / won, 2.0 / 3))) : part);
}

/// T·ln 2/ln T of T = ceil(N/P), rounded with 0.55 (DLS4LB, LB4OMP): FAC2 halves T some log2(T) times, P chunks each
/// time.
std::int64_t size_for_chunks_of_factoring(LoopState& s, std::size_t) {
  const auto part = static_cast<double>(ceil_div(s.tasks, s.workers()));
  return part > 1 ? static_cast<std::int64_t>(0.55 + part * portable::log(2.0) / portable::log(part)) : 1;
}

}  // namespace

Technique fixed_size_chunking() {
  return {.name = "FSC",
          .summary = "chunks of one size, by the overhead and the standard deviation of the tasks",
          .citation = "Kruskal & Weiss, IEEE TSE 11(10), 1985",
          .next = fixed_size,
          .has_least = false};
}

Technique modified_fixed_size_chunking() {
  return {.name = "mFSC",
          .summary = "chunks of one size, about as many as FAC2 makes",
          .citation = "Banicescu, Ciorba & Srivastava, Scalable Computing: Theory and Practice, 2013",
          .next = size_for_chunks_of_factoring,
          .has_least = false};
}

}  // namespace nowsim
