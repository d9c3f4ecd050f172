// FAC and FAC2: batches of equal chunks, each batch a part of what remains.
#include <cmath>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

double remaining(const LoopState& s) { return static_cast<double>(s.remaining); }
double workers(const LoopState& s) { return static_cast<double>(s.workers()); }

/// A batch is P chunks of ceil(R/(x·P)).
std::int64_t batched(LoopState& s, double (*factor)(const LoopState&)) {
  if (s.batch_left == 0) {
    s.batch_chunk = static_cast<std::int64_t>(std::ceil(remaining(s) / (factor(s) * workers(s))));
    s.batch_left = s.workers();
    ++s.batches;
  }
  --s.batch_left;
  return s.batch_chunk;
}

/// b_j = P/(2·sqrt(R_j))·sigma/mu; x_0 = 1 + b_0² + b_0·sqrt(b_0² + 2), x_j = 2 + b_j² + b_j·sqrt(b_j² + 4).
double factoring_ratio(const LoopState& s) {
  const double b = workers(s) / (2 * std::sqrt(remaining(s))) * s.parameters.cv;
  return s.batches == 0 ? 1 + b * b + b * std::sqrt(b * b + 2) : 2 + b * b + b * std::sqrt(b * b + 4);
}

constexpr const char* kHummel = "Hummel, Schonberg & Flynn, CACM 35(8), 1992";

}  // namespace

Technique factoring() {
  return {.name = "FAC",
          .summary = "factoring: batches of P equal chunks, by mean and standard deviation of the tasks",
          .citation = kHummel,
          .next = [](LoopState& s, std::size_t) { return batched(s, factoring_ratio); }};
}

/// x = 2, of what really remains: 1000 tasks on 4 give 125, 63, 31, 16, 8, 4, 2, 1, each four times. (Tables of the
/// closed form ceil(N/(P·2^(j+1))) have 32 in the third batch, as LB4OMP's FAC2, and end sooner.)
Technique factoring_by_two() {
  return {.name = "FAC2",
          .summary = "factoring: each batch is half of what remains",
          .citation = kHummel,
          .next = [](LoopState& s, std::size_t) { return batched(s, [](const LoopState&) { return 2.0; }); }};
}

}  // namespace nowsim
