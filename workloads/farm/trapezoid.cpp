// TSS and TFSS: chunks that decrease linearly, one by one or in batches.
#include <algorithm>

#include "sim/base/error.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

std::int64_t given_first(const TechniqueParameters& p) { return p.whole_or("first", 0); }
std::int64_t given_last(const TechniqueParameters& p) { return p.whole_or("last", 1); }

/// From f to l in about n = ceil(2N/(f + l)) steps of delta = (f - l)/(n - 1). f = N/(2P) and delta are rounded down to
/// whole tasks, as the published tables of 1000 tasks on 4 machines have it (125 117 109 .. 37 28) and LLVM's OpenMP
/// does it; with few tasks delta is 0, and all chunks are f. (DLS4LB rounds f up.)
struct Trapezoid {
  std::int64_t first, last, decrement;
  [[nodiscard]] std::int64_t chunk(std::int64_t number) const { return std::max(last, first - number * decrement); }
};

Trapezoid trapezoid_of(const LoopState& s) {
  const std::int64_t last = given_last(s.parameters);
  const std::int64_t given = given_first(s.parameters), half = s.tasks / (2 * s.workers());
  const std::int64_t first = std::max(given > 0 ? given : half, last), steps = ceil_div(2 * s.tasks, first + last);
  return {first, last, steps > 1 ? (first - last) / (steps - 1) : 0};
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

/// Of both.
KeyTable keys_of_ends() {
  return {{"first", KeyType::count, "0", "the first chunk; 0: N/(2P)"},
          {"last", KeyType::count, "1", "the last chunk", {1}}};
}

void check_ends(const TechniqueParameters& p) {
  const std::int64_t first = given_first(p), last = given_last(p);
  if (first > 0 && first < last)
    throw InputError("first must not be less than last, since chunks decrease: they are " + std::to_string(first) +
                     " and " + std::to_string(last));
}

}  // namespace

Technique trapezoid_self_scheduling() {
  return {.name = "TSS",
          .summary = "trapezoid: chunks decrease by equal whole steps, none where N < 8 P^2 or so",
          .citation = "Tzen & Ni, IEEE TPDS 4(1), 1993",
          .next = [](LoopState& s, std::size_t) { return trapezoid_of(s).chunk(s.chunks); },
          .keys = keys_of_ends(),
          .check = check_ends};
}

Technique trapezoid_factoring() {
  return {.name = "TFSS",
          .summary = "trapezoid in batches: P equal chunks, as large as P of TSS in the mean",
          .citation = "Chronopoulos, Andonie, Benche & Grosu, IEEE CLUSTER 2001",
          .next = trapezoid_by_batches,
          .keys = keys_of_ends(),
          .check = check_ends};
}

}  // namespace nowsim
