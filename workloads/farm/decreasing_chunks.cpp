// GSS and TAP, a part of what remains; TSS and TFSS: chunks that decrease linearly, one by one or in batches.
#include <algorithm>
#include <any>
#include <cmath>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

namespace {

/// K = T + v²/2 - v·sqrt(2T + v²/4), T = R/P, v = alpha·sigma/mu, rounded up; alpha is 1 unless given (both LB4OMP).
std::int64_t tapered(LoopState& s, std::size_t) {
  const double t = static_cast<double>(s.remaining) / static_cast<double>(s.workers());
  const double v = s.parameters.number_or("alpha", 1) * s.parameters.cv;
  return static_cast<std::int64_t>(std::ceil(t + v * v / 2 - v * std::sqrt(2 * t + v * v / 4)));
}

std::int64_t given_first(const TechniqueParameters& p) { return p.whole_or("first", 0); }
std::int64_t given_last(const TechniqueParameters& p) { return p.whole_or("last", 1); }

/// From f to l in about n = ceil(2N/(f + l)) steps of delta = (f - l)/(n - 1). f = N/(2P) and delta are rounded down to
/// whole tasks, as the published tables of 1000 tasks on 4 machines have it (125 117 109 .. 37 28); with few tasks delta
/// is 0, and all chunks are f.
struct Trapezoid {
  std::int64_t first, last, decrement;
  [[nodiscard]] std::int64_t chunk(std::int64_t number) const { return std::max(last, first - number * decrement); }
};

Trapezoid trapezoid_in_steps(std::int64_t first, std::int64_t last, std::int64_t steps) {
  return {first, last, steps > 1 ? (first - last) / (steps - 1) : 0};
}

Trapezoid trapezoid_of(const LoopState& s) {
  const std::int64_t last = given_last(s.parameters);
  const std::int64_t given = given_first(s.parameters), half = s.tasks / (2 * s.workers());
  const std::int64_t first = std::max(given > 0 ? given : half, last);
  return trapezoid_in_steps(first, last, ceil_div(2 * s.tasks, first + last));
}

/// f is rounded up and n down; a chunk is the one before less delta, at least min_chunk, from which the next is counted
/// (DLS4LB, lines 242-246 and 588-591; TSSdelta is an int).
std::int64_t trapezoid_of_dls4lb(LoopState& s, std::size_t) {
  const std::int64_t first = ceil_div(s.tasks, 2 * s.workers()), steps = 2 * s.tasks / (first + 1);
  const std::int64_t wanted = s.memory.has_value() ? std::any_cast<std::int64_t>(s.memory) : first;
  const std::int64_t chunk = std::max(s.parameters.min_chunk, std::min(s.remaining, wanted));
  s.memory = chunk - trapezoid_in_steps(first, 1, steps).decrement;
  return chunk;
}

/// l is min_chunk, but not more than f, and there are two steps at least (LB4OMP, lines 1874-1920 and 3992-4003, which are
/// LLVM's OpenMP).
std::int64_t trapezoid_of_lb4omp(LoopState& s, std::size_t) {
  const std::int64_t first = std::max<std::int64_t>(1, s.tasks / (2 * s.workers()));
  const std::int64_t last = std::min(s.parameters.min_chunk, first);
  const std::int64_t steps = std::max<std::int64_t>(2, ceil_div(2 * s.tasks, first + last));
  return trapezoid_in_steps(first, last, steps).chunk(s.chunks);
}

/// The mean of the next P chunks of TSS, rounded down (LB4OMP), for each of P workers: 113, 81, 49 and 17 of 1000 tasks
/// on 4 machines.
std::int64_t trapezoid_by_batches(LoopState& s, std::size_t) {
  if (s.batch_left == 0) {
    const Trapezoid trapezoid = trapezoid_of(s);
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < s.workers(); ++k) sum += trapezoid.chunk(s.batches * s.workers() + k);
    s.batch_chunk = sum / s.workers();
    s.batch_left = s.workers();
    ++s.batches;
  }
  --s.batch_left;
  return s.batch_chunk;
}

void check_ends(const TechniqueParameters& p) {
  const std::int64_t first = given_first(p), last = given_last(p);
  if (!p.as.empty() && p.as != "paper" && (first != 0 || last != 1))
    throw InputError("first and last are for as: paper: " + p.as + " goes from N/(2P) down to min_chunk");
  if (first > 0 && first < last)
    throw InputError("first must not be less than last, since chunks decrease: they are " + std::to_string(first) +
                     " and " + std::to_string(last));
}

}  // namespace

std::vector<Technique> decreasing_chunks() {
  const KeyTable ends{{"first", KeyType::count, "0", "the first chunk; 0: N/(2P)"},
                      {"last", KeyType::count, "1", "the last chunk", {1}}};
  return {{.name = "GSS",
           .summary = "guided: ceil(R/P) of the R tasks that remain, for P workers",
           .citation = "Polychronopoulos & Kuck, IEEE TC 36(12), 1987",
           .next = [](LoopState& s, std::size_t) { return ceil_div(s.remaining, s.workers()); }},
          {.name = "TAP",
           .summary = "tapering: R/P, the less the more tasks vary",
           .citation = "Lucco, PLDI 1992",
           .next = tapered,
           .keys = {{"alpha", KeyType::number, "1", "of the tasks' standard deviations, by which chunks are smaller"}}},
          {.name = "TSS",
           .summary = "trapezoid: chunks decrease by equal whole steps, none where N < 8 P^2 or so",
           .citation = "Tzen & Ni, IEEE TPDS 4(1), 1993",
           .keys = ends,
           .check = check_ends,
           .versions = {{.name = "paper",
                         .next = [](LoopState& s, std::size_t) { return trapezoid_of(s).chunk(s.chunks); }},
                        {.name = "DLS4LB", .next = trapezoid_of_dls4lb, .usual_least = 0},
                        {.name = "LB4OMP", .next = trapezoid_of_lb4omp}}},
          {.name = "TFSS",
           .summary = "trapezoid in batches: P equal chunks, as large as P of TSS in the mean",
           .citation = "Chronopoulos, Andonie, Benche & Grosu, IEEE CLUSTER 2001",
           .next = trapezoid_by_batches,
           .keys = ends,
           .check = check_ends}};
}

}  // namespace nowsim
