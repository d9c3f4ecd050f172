// TSS: chunks that decrease linearly.
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
std::int64_t trapezoid(LoopState& s, std::size_t) {
  const std::int64_t last = given_last(s.parameters);
  const std::int64_t given = given_first(s.parameters), half = s.tasks / (2 * s.workers());
  const std::int64_t first = std::max(given > 0 ? given : half, last), steps = ceil_div(2 * s.tasks, first + last);
  const std::int64_t decrement = steps > 1 ? (first - last) / (steps - 1) : 0;
  return std::max(last, first - s.chunks * decrement);
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
          .next = trapezoid,
          .keys = {{"first", KeyType::count, "0", "the first chunk; 0: N/(2P)"},
                   {"last", KeyType::count, "1", "the last chunk", {1}}},
          .check = check_ends};
}

}  // namespace nowsim
