// AF: factoring by each worker's measured mean and variance of task times.
#include <algorithm>
#include <any>
#include <cmath>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/farm/self_scheduling.hpp"
#include "workloads/farm/worker_records.hpp"

namespace nowsim {
namespace {

/// Of which a worker's first mean and variance come (LB4OMP, lines 2677 and 2734).
constexpr std::int64_t kTrialTasks = 100;

/// At most `max_chunk`, if it is given, else at most what is usual.
std::int64_t limited(const LoopState& s, std::int64_t chunk, std::int64_t usual) {
  return std::min(chunk, s.parameters.whole_or("max_chunk", usual));
}

std::int64_t trial_or(const LoopState& s, std::int64_t usual) {
  return s.parameters.whole_or("trial", limited(s, usual, usual));
}

/// (D + 2·T·R - sqrt(D² + 4·D·T·R))/2 [s], which all three make the chunk of by a worker's mean.
double factored_s(double d_s, double t_s, double remaining) {
  const double tr = t_s * remaining;
  return (d_s + 2 * tr - std::sqrt(d_s * (d_s + 4 * tr))) / 2;
}

/// D = sum sigma_i²/mu_i, T = 1/sum 1/mu_i, K_i = (D + 2·T·R - sqrt(D² + 4·D·T·R))/(2·mu_i), rounded to the nearest task.
/// Means and variances are of all tasks that a worker has reported; who has reported none is as the fastest of the others
/// (DLS4LB). The published formula has no upper bound: with little variance (D near 0) a chunk is the worker's part, by
/// speeds, of all that remains. The first chunks are trials, of no more than FAC2 would hand out.
std::int64_t by_mean_and_variance(LoopState& s, std::size_t worker) {
  const WorkerRecord& record = s.records[worker];
  if (!record.has_mean()) return trial_or(s, std::min(kTrialTasks, ceil_div(s.remaining, 2 * s.workers())));
  const WorkerTotals& all = s.records.totals();
  const auto others = static_cast<double>(s.workers() - all.with_mean);
  const double d_s = all.spreads_s + others * all.fastest_spread_s;
  const double t_s = 1 / (all.rates + others * all.fastest_rate);
  const double wanted = factored_s(d_s, t_s, static_cast<double>(s.remaining)) / record.mean_s;
  return limited(s, rounded_tasks(wanted), s.tasks);
}

/// Of the latest chunk alone (DLS4LB, lines 916-936, where sums begin anew with each chunk).
ForemanReport of_latest_chunk(const WorkerRecord& record) {
  const auto tasks = static_cast<double>(record.last.tasks);
  const double deviation_s = tasks > 1 ? std::sqrt(record.last.squares_s2 / (tasks - 1)) : 0;
  return {record.last.time_s / tasks, deviation_s};
}

/// D is the sum of sigma_i/mu_i, not of sigma_i²/mu_i, and so depends on the unit of time, which is the second (DLS4LB,
/// lines 329-348). First chunks are of min_chunk tasks, none is of more than ceil(N/(2P)) (line 670).
std::int64_t by_latest_chunks(LoopState& s, std::size_t worker) {
  const ForemanStatistics& known = foreman_statistics(s, worker, of_latest_chunk);
  const double mean_s = known.all()[worker].mean_s;
  if (!known.has_reported(worker) || !(mean_s > 0)) return trial_or(s, s.parameters.min_chunk);
  double d = 0, rates = 0;
  for (const ForemanReport& report : known.all()) {
    if (!(report.mean_s > 0)) continue;  // tasks without work: the code divides by 0
    d += report.deviation_s / report.mean_s;
    rates += 1 / report.mean_s;
  }
  const double wanted = factored_s(d, 1 / rates, static_cast<double>(s.remaining)) / mean_s;
  return limited(s, rounded_as_dls4lb(wanted), ceil_div(s.tasks, 2 * s.workers()));
}

/// A worker's chunk, which it fetches in parts, and the mean times of tasks in its parts.
struct DividedChunk {
  std::int64_t left = 0, part = 0;
  std::int64_t parts_done = 0;
  double sum_s = 0, squares_s2 = 0;        ///< of the parts' mean times
  double mean_s = 0, variance_s2 = 0;      ///< told to the others when a chunk is done
};
using DividedChunks = std::vector<DividedChunk>;

/// So many parts has a chunk that has so many tasks (LB4OMP, kmp_global.cpp, line 575).
constexpr std::int64_t kParts = 10;

/// The next part, of which what would be too small a rest is a part too (LB4OMP, lines 5814-5820). Parts of min_chunk that
/// are more than the chunk go on to the loop's end, as there.
std::int64_t next_part(DividedChunk& c) {
  const std::int64_t rest = c.left - c.part;
  const std::int64_t tasks = rest > 0 && rest < c.part ? c.left : c.part;
  c.left -= tasks;
  return tasks;
}

/// D and T of all workers; who has told nothing is as the one that asks (LB4OMP, lines 5823-5846).
std::int64_t divided_chunk(const LoopState& s, const DividedChunks& all, const DividedChunk& own) {
  double d_s = 0, rates = 0;
  for (const DividedChunk& c : all) {
    const DividedChunk& known = c.mean_s > 0 ? c : own;
    d_s += known.variance_s2 / known.mean_s;
    rates += 1 / known.mean_s;
  }
  const double wanted = factored_s(d_s, 1 / rates, static_cast<double>(s.remaining)) / own.mean_s;
  return limited(s, static_cast<std::int64_t>(std::ceil(wanted)), s.tasks);
}

/// Chunks of ten parts, each of which a worker asks for; mean and variance are of all its parts' mean times so far, not of
/// its tasks', and are told when a chunk is done. Parts of a task count as one (LB4OMP, lines 5745-5916).
std::int64_t by_times_of_parts(LoopState& s, std::size_t worker) {
  if (!s.memory.has_value()) s.memory = DividedChunks(s.records.size());
  auto& all = *std::any_cast<DividedChunks>(&s.memory);
  DividedChunk& own = all[worker];
  const WorkerRecord& record = s.records[worker];
  if (record.chunks > own.parts_done) {
    const double mean_s = record.last.time_s / static_cast<double>(record.last.tasks);
    own.sum_s += mean_s;
    own.squares_s2 += mean_s * mean_s;
    own.parts_done = record.chunks;
  }
  if (own.left == 0) {
    if (const auto n = static_cast<double>(own.parts_done); n > 0) {  // of what parts took each, whatever their sizes
      own.mean_s = own.sum_s / n;
      own.variance_s2 = n > 1 ? std::max(0.0, (own.squares_s2 - n * own.mean_s * own.mean_s) / (n - 1)) : 0;
    }
    own.left = own.mean_s > 0 ? divided_chunk(s, all, own) : trial_or(s, kTrialTasks);
    own.part = std::max(own.left >= kParts ? own.left / kParts : own.left, s.parameters.min_chunk);
  }
  return next_part(own);
}

void check_limits(const TechniqueParameters& p) {
  const std::int64_t most = p.whole_or("max_chunk", 0);
  if (most > 0 && most < p.min_chunk)
    throw InputError("max_chunk must not be less than min_chunk: they are " + std::to_string(most) + " and " +
                     std::to_string(p.min_chunk));
  if (const std::int64_t trial = p.whole_or("trial", 0); most > 0 && trial > most)
    throw InputError("trial must not be more than max_chunk: they are " + std::to_string(trial) + " and " +
                     std::to_string(most));
}

}  // namespace

std::vector<Technique> adaptive_factoring() {
  using enum Technique::Learns;
  const char* const trial = "tasks of each worker's first chunk, which measures; at least min_chunk";
  return {{.name = "AF",
           .summary = "adaptive factoring: by measured mean and variance of each worker's task times",
           .citation = "Banicescu & Liu, HPC Symposium 2000",
           .keys = {{"trial", KeyType::count, "", trial, {1}},
                    {"max_chunk", KeyType::count, "", "the most that is handed out at once", {1}}},
           .check = check_limits,
           .versions = {{.name = "paper", .next = by_mean_and_variance, .learns = task_times},
                        {.name = "DLS4LB", .next = by_latest_chunks, .learns = task_times, .usual_least = 0},
                        {.name = "LB4OMP", .next = by_times_of_parts, .learns = chunk_times}}}};
}

}  // namespace nowsim
