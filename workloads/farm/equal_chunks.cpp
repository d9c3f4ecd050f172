// SS and CSS, FSC and mFSC: chunks of one size, given or computed.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/statistics/portable.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

namespace {

/// k = (sqrt(2)·N·h/(sigma·P·sqrt(ln P)))^(2/3), sigma on a machine of the workers' mean speed; infinite of tasks that
/// are all the same, and of one worker.
double optimal_size(const LoopState& s) {
  const auto n = static_cast<double>(s.tasks), p = static_cast<double>(s.workers());
  const double sigma_s = s.parameters.cv * s.parameters.mean_flop / s.mean_speed_flops;
  const double lost = std::sqrt(2.0) * n * s.parameters.overhead_s, won = sigma_s * p * std::sqrt(portable::log(p));
  return won > 0 ? portable::pow(lost / won, 2.0 / 3) : INFINITY;
}

/// Rounded up, where that is not more than ceil(N/P): a larger chunk would leave workers idle, for which the formula is
/// not made.
std::int64_t fixed_size(LoopState& s, std::size_t) {
  const auto part = static_cast<double>(ceil_div(s.tasks, s.workers()));
  return static_cast<std::int64_t>(std::min(part, std::ceil(optimal_size(s))));
}

/// In tasks, up to all: what the formula gives, however large. Where it gives nothing finite the codes go on with whatever
/// number their machine makes of that; here ceil(N/P).
std::int64_t without_limit(const LoopState& s, double size) {
  if (std::isinf(size)) return ceil_div(s.tasks, s.workers());
  return static_cast<std::int64_t>(std::min(size, static_cast<double>(s.tasks)));
}

/// DLS4LB, lines 643-646.
std::int64_t fixed_size_rounded_up(LoopState& s, std::size_t) { return without_limit(s, std::ceil(optimal_size(s))); }

/// LB4OMP, lines 1953-1963.
std::int64_t fixed_size_cut_off(LoopState& s, std::size_t) { return without_limit(s, optimal_size(s)); }

}  // namespace

/// T·ln 2/ln T of T = ceil(N/P), rounded with 0.55 (DLS4LB, lines 639-640, and LB4OMP, lines 2243-2244): FAC2 halves T
/// some log2(T) times, P chunks each time. Where T is 1, for which the codes divide by 0, it is 1.
std::int64_t size_for_chunks_of_factoring(std::int64_t tasks, std::int64_t workers) {
  const auto part = static_cast<double>(ceil_div(tasks, workers));
  return part > 1 ? static_cast<std::int64_t>(0.55 + part * portable::log(2.0) / portable::log(part)) : 1;
}

std::vector<Technique> equal_chunks() {
  const auto of_factoring = [](LoopState& s, std::size_t) {
    return size_for_chunks_of_factoring(s.tasks, s.workers());
  };
  return {{.name = "SS",
           .summary = "one task at a time",
           .citation = "Tang & Yew, ICPP 1986",
           .next = [](LoopState&, std::size_t) { return std::int64_t{1}; },
           .has_least = false},
          {.name = "CSS",
           .summary = "k tasks at a time",
           .citation = "Kruskal & Weiss, IEEE TSE 11(10), 1985",
           .next = [](LoopState& s, std::size_t) { return s.parameters.whole_or("chunk", 1); },
           .has_least = false,
           .keys = {{"chunk", KeyType::count, kMustBeGiven, "tasks at a time", {1}}}},
          {.name = "FSC",
           .summary = "chunks of one size, by the overhead and the standard deviation of the tasks",
           .citation = "Kruskal & Weiss, IEEE TSE 11(10), 1985",
           .versions = {{.name = "paper", .next = fixed_size, .has_least = false},
                        {.name = "DLS4LB", .next = fixed_size_rounded_up, .has_least = false},
                        {.name = "LB4OMP", .next = fixed_size_cut_off}}},
          // Both codes have one size; LB4OMP's can be no less than min_chunk (lines 2245-2248).
          {.name = "mFSC",
           .summary = "chunks of one size, about as many as FAC2 makes",
           .citation = "Banicescu, Ciorba & Srivastava, Scalable Computing: Theory and Practice, 2013",
           .versions = {{.name = "DLS4LB", .next = of_factoring, .has_least = false},
                        {.name = "LB4OMP", .next = of_factoring}}}};
}

}  // namespace nowsim
