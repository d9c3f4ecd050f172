// BOLD: chunks by an estimate of what is still to be done, kept as chunks are asked for.
#include <algorithm>
#include <any>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "sim/statistics/portable.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

/// The strategy's constants, of tasks' times with mean mu and standard deviation sigma, and an overhead h.
struct BoldConstants {
  double mu_s, h_s, a, b, c1, c2, c3;
  explicit BoldConstants(const LoopState& s)
      : mu_s(s.parameters.mean_flop / s.mean_speed_flops),
        h_s(s.parameters.overhead_s),
        a(2 * s.parameters.cv * s.parameters.cv),
        b(a > 0 ? 8 * a * portable::log(8 * a) : 0),
        c1(h_s / (mu_s * std::numbers::ln2)),
        c2(std::sqrt(2 * std::numbers::pi) * c1),
        c3(portable::log(c2)) {}
};

/// What the strategy keeps, in its own letters.
struct BoldBooks {
  /// What a worker has.
  struct Held {
    double chunk = 0, begin_s = 0, speed = 0;
  };
  BoldConstants k;
  double m;                ///< tasks that are not known to be done
  double n;                ///< of which so many are expected not to be done
  double total_speed = 0;  ///< expected, of all who have a chunk [1/s]
  double now_s = 0;        ///< until when n has been reduced
  std::vector<Held> held;

  explicit BoldBooks(const LoopState& s) : k(s), m(static_cast<double>(s.tasks)), n(m), held(s.weights.size()) {}
  /// n falls by what all were expected to do since the last time, and by what the worker's chunk has been short of
  /// that. As LB4OMP has it n falls when a chunk ends, by whole tasks, rounded towards 0; what all were expected to do
  /// until somebody's first chunk is left out (lines 5036-5055).
  void finish(std::size_t worker, double at_s, bool as_lb4omp) {
    const Held done = std::exchange(held[worker], {});
    const double passed_s = at_s - std::exchange(now_s, at_s);
    if (!as_lb4omp) {
      n -= passed_s * total_speed;
      if (done.chunk > 0) n -= done.chunk - (at_s - done.begin_s) * done.speed;
    } else if (done.chunk > 0) {
      n -= std::trunc(passed_s * total_speed + done.chunk -
                      (at_s - done.begin_s) * done.chunk / (done.chunk * k.mu_s + k.h_s));
    }
    m -= done.chunk;
    total_speed -= done.speed;
  }
  void begin(std::size_t worker, double chunk) {
    held[worker] = {chunk, now_s, chunk / (chunk * k.mu_s + k.h_s)};
    total_speed += held[worker].speed;
  }
};

/// The published rule, as LB4OMP has it (lines 5071-5096), which cuts off parts of a task: q = R/p, r = max(R, N),
/// t = r/p. Without variance it is t.
double bold_chunk(const BoldBooks& books, double remaining, double workers) {
  const auto& [mu_s, h_s, a, b, c1, c2, c3] = books.k;
  const double q = remaining / workers;
  if (q <= 1) return 1;
  const double r = std::max(remaining, books.n), t = r / workers;
  const double ln_q = portable::log(q), v = q / (b + q), d = remaining / (1 + 1 / ln_q - v);
  if (d <= c2 || !(a > 0) || !(h_s > 0)) return t;
  const double s = a * (portable::log(d) - c3) * (1 + books.m / (r * workers));
  const double w = b > 0 ? portable::log(v * ln_q) + portable::log(b) : portable::log(ln_q);
  return std::min(t, t + std::max(0.0, c1 * w) + s / 2 - std::sqrt(s * (t + s / 4)));
}

/// Without overhead the rule tends to single tasks, if these vary. LB4OMP then compares with what is no number, and
/// takes t. Its times are whole units of its clock; here they are not rounded.
std::int64_t boldly(LoopState& s, std::size_t worker, bool as_lb4omp) {
  if (!s.memory.has_value()) s.memory = BoldBooks(s);
  auto& books = *std::any_cast<BoldBooks>(&s.memory);
  books.finish(worker, s.now_s, as_lb4omp);
  const auto least = static_cast<double>(s.parameters.min_chunk), remaining = static_cast<double>(s.remaining);
  const bool is_free = books.k.a > 0 && !(books.k.h_s > 0);
  const double wanted = is_free && !as_lb4omp ? 1 : bold_chunk(books, remaining, static_cast<double>(s.workers()));
  const double chunk = std::min(std::max(std::floor(wanted), least), remaining);
  books.begin(worker, chunk);
  return static_cast<std::int64_t>(chunk);
}

}  // namespace

std::vector<Technique> bold_strategy() {
  return {{.name = "BOLD",
           .summary =
               "by mean and standard deviation of the tasks, the overhead, and an estimate of what is still to be done",
           .citation = "Hagerup, JPDC 47(2), 1997",
           .versions = {{.name = "paper", .next = [](LoopState& s, std::size_t i) { return boldly(s, i, false); }},
                        {.name = "LB4OMP", .next = [](LoopState& s, std::size_t i) { return boldly(s, i, true); }}}}};
}

}  // namespace nowsim
