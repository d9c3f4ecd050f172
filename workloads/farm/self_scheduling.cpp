// One function per technique. R: tasks that remain, P: workers, N: all tasks.
//
// Where a paper leaves a choice, that of two published implementations decides: DLS4LB (Mohammed & Ciorba, after Carino
// & Banicescu's DLB_tool) and LB4OMP (Korndoerfer et al., "LB4OMP: a dynamic load balancing library for multithreaded
// applications", IEEE TPDS 33(4), 2022).
#include "workloads/farm/self_scheduling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace nowsim {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

double real(std::int64_t n) { return static_cast<double>(n); }

std::int64_t ceiling(double x) { return static_cast<std::int64_t>(std::ceil(x)); }

/// To the nearest, halves up, as DLS4LB does it (which adds 0.55, so that 0.45 is rounded up too).
std::int64_t rounded(double x) { return static_cast<std::int64_t>(std::floor(x + 0.5)); }

/// Of mean 1.
std::vector<double> normalised(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w = sum > 0 ? w * real(static_cast<std::int64_t>(weights.size())) / sum : 1;
  return weights;
}

// ---- without memory ----------------------------------------------------------------------------------------------

std::int64_t self_scheduling(LoopState&, std::size_t) { return 1; }

std::int64_t chunk_self_scheduling(LoopState& s, std::size_t) { return s.parameters.chunk; }

/// ceil(R/P).
std::int64_t guided(LoopState& s, std::size_t) { return ceil_div(s.remaining, s.workers()); }

/// From f to l in about n = ceil(2N/(f + l)) steps of delta = (f - l)/(n - 1). f = N/(2P) and delta are rounded down to
/// whole tasks, as the published tables of 1000 tasks on 4 machines have it (125 117 109 .. 37 28) and LLVM's OpenMP
/// does it; with few tasks delta is 0, and all chunks are f. (DLS4LB rounds f up.)
std::int64_t trapezoid(LoopState& s, std::size_t) {
  const std::int64_t last = s.parameters.last;
  const std::int64_t given = s.parameters.first, half = s.tasks / (2 * s.workers());
  const std::int64_t first = std::max(given > 0 ? given : half, last), steps = ceil_div(2 * s.tasks, first + last);
  const std::int64_t decrement = steps > 1 ? (first - last) / (steps - 1) : 0;
  return std::max(last, first - s.chunks * decrement);
}

// ---- batches of equal chunks -------------------------------------------------------------------------------------

/// A batch is P chunks of ceil(R/(x·P)).
std::int64_t batched(LoopState& s, double (*factor)(const LoopState&)) {
  if (s.batch_left == 0) {
    s.batch_chunk = ceiling(real(s.remaining) / (factor(s) * real(s.workers())));
    s.batch_left = s.workers();
    ++s.batches;
  }
  --s.batch_left;
  return s.batch_chunk;
}

/// b_j = P/(2·sqrt(R_j))·sigma/mu; x_0 = 1 + b_0² + b_0·sqrt(b_0² + 2), x_j = 2 + b_j² + b_j·sqrt(b_j² + 4).
double factoring_ratio(const LoopState& s) {
  const double b = real(s.workers()) / (2 * std::sqrt(real(s.remaining))) * s.parameters.cv;
  return s.batches == 0 ? 1 + b * b + b * std::sqrt(b * b + 2) : 2 + b * b + b * std::sqrt(b * b + 4);
}
std::int64_t factoring(LoopState& s, std::size_t) { return batched(s, factoring_ratio); }

/// x = 2, of what really remains: 1000 tasks on 4 give 125, 63, 31, 16, 8, 4, 2, 1, each four times. (Tables of the
/// closed form ceil(N/(P·2^(j+1))) have 32 in the third batch, as LB4OMP's FAC2, and end sooner.)
std::int64_t factoring_by_two(LoopState& s, std::size_t) {
  return batched(s, [](const LoopState&) { return 2.0; });
}

// ---- batches by weight -------------------------------------------------------------------------------------------

/// Begins a batch of P·ceil(R/(2P)) tasks where the last one has been handed out.
void enter_batch(LoopState& s) {
  if (s.batch_left > 0) return;
  s.batch_chunk = ceil_div(s.remaining, 2 * s.workers());
  s.batch_left = std::min(s.remaining, s.batch_chunk * s.workers());
  ++s.batches;
}

/// Of the batch, w_i·K_j tasks: the next batch begins when it has been used up, whoever has asked (DLS4LB).
std::int64_t weighted_part(LoopState& s, double weight) {
  const std::int64_t least = s.parameters.min_chunk;
  const std::int64_t part = std::min(s.batch_left, std::max(least, rounded(weight * real(s.batch_chunk))));
  const std::int64_t chunk = s.batch_left - part < least ? s.batch_left : part;  // no rest that is too small
  s.batch_left -= chunk;
  return chunk;
}

std::int64_t weighted_factoring(LoopState& s, std::size_t worker) {
  enter_batch(s);
  return weighted_part(s, s.weights[worker]);
}

/// w_i = (1/pi_i) / mean of 1/pi, where pi_i is the mean time per task of worker i's chunks. Who has not reported yet
/// keeps its given weight; the others divide the rest of theirs by their speeds.
double measured_weight(const LoopState& s, std::size_t worker) {
  const WorkerRecord& record = s.records[worker];
  const WorkerTotals& all = s.records.totals();
  if (!record.has_speed() || !(all.weights > 0)) return s.weights[worker];
  return record.speed() * all.weights / all.speeds;
}

/// WF by measured weights. The first batch has the weights given (LB4OMP; in DLS4LB the first chunks are min_chunk).
/// Later ones fix K_j when they begin, but weights are those of the moment at which a worker asks (DLS4LB): when the
/// first one asks that begins the batch, most of the others have still to report.
std::int64_t adaptive_by_batches(LoopState& s, std::size_t worker) {
  enter_batch(s);
  return weighted_part(s, s.batches == 1 ? s.weights[worker] : measured_weight(s, worker));
}

/// WF whose weights and batches are set anew for every chunk: w_i·ceil(R/(2P)).
std::int64_t adaptive_by_chunks(LoopState& s, std::size_t worker) {
  return rounded(measured_weight(s, worker) * real(ceil_div(s.remaining, 2 * s.workers())));
}

// ---- adaptive factoring ------------------------------------------------------------------------------------------

/// Of which a worker's first mean and variance come; not more than FAC2's first chunk. (LB4OMP: 100; DLS4LB: min_chunk,
/// which tells no variance where it is 1.)
constexpr std::int64_t kTrialTasks = 10;

/// K_i = (D + 2·T·R - sqrt(D² + 4·D·T·R))/(2·mu_i), D = sum sigma_i²/mu_i, T = 1/sum 1/mu_i. Means and variances are of all
/// tasks that a worker has reported; who has reported none is as the fastest of the others (DLS4LB). The published formula
/// has no upper bound, nor has this: with little variance (D near 0) a chunk is the worker's part, by speeds, of all that
/// remains. (DLS4LB's code hands out ceil(N/(2P)) at most.)
std::int64_t adaptive_factoring(LoopState& s, std::size_t worker) {
  const WorkerRecord& record = s.records[worker];
  if (!record.has_mean()) return std::min(kTrialTasks, ceil_div(s.remaining, 2 * s.workers()));
  const WorkerTotals& all = s.records.totals();
  const double others = real(s.workers() - all.with_mean);
  const double d = all.spreads_s + others * all.fastest_spread_s;
  const double tr = real(s.remaining) / (all.rates + others * all.fastest_rate);
  return rounded((d + 2 * tr - std::sqrt(d * (d + 4 * tr))) / (2 * record.mean_s));
}

using Learns = Technique::Learns;
using Reads = Technique::Reads;

const std::array<Technique, 11> kTechniques{{
    {"SS", "one task at a time", "Tang & Yew, ICPP 1986", "", self_scheduling, Learns::nothing, Reads::nothing},
    {"CSS", "k tasks at a time", "Kruskal & Weiss, IEEE TSE 11(10), 1985", "chunk", chunk_self_scheduling,
     Learns::nothing, Reads::chunk},
    {"GSS", "guided: ceil(R/P) of the R tasks that remain, for P workers",
     "Polychronopoulos & Kuck, IEEE TC 36(12), 1987", "min_chunk", guided},
    {"TSS", "trapezoid: chunks decrease by equal whole steps, none where N < 8 P^2 or so",
     "Tzen & Ni, IEEE TPDS 4(1), 1993", "first, last, min_chunk", trapezoid, Learns::nothing, Reads::ends},
    {"FAC", "factoring: batches of P equal chunks, by mean and standard deviation of the tasks",
     "Hummel, Schonberg & Flynn, CACM 35(8), 1992", "min_chunk", factoring},
    {"FAC2", "factoring: each batch is half of what remains", "Hummel, Schonberg & Flynn, CACM 35(8), 1992", "min_chunk",
     factoring_by_two},
    {"WF", "FAC2 whose chunks are in proportion to the shares that the split gives",
     "Hummel, Schmidt, Uma & Wein, SPAA 1996", "min_chunk", weighted_factoring, Learns::nothing, Reads::min_chunk, true},
    {"AWF-B", "WF by measured speeds from the second batch on", "Carino & Banicescu, J. Supercomputing 44(1), 2008",
     "min_chunk", adaptive_by_batches, Learns::chunk_times, Reads::min_chunk, true},
    {"AWF-C", "WF by measured speeds, set anew for each chunk", "Carino & Banicescu, J. Supercomputing 44(1), 2008",
     "min_chunk", adaptive_by_chunks, Learns::chunk_times, Reads::min_chunk, true},
    {"AF", "adaptive factoring: by measured mean and variance of each worker's task times",
     "Banicescu & Liu, HPC Symposium 2000", "min_chunk", adaptive_factoring, Learns::task_times},
    {"static", "each worker gets the share that the split gives it, at once", "", "", nullptr, Learns::nothing,
     Reads::nothing, true},
}};

}  // namespace

LoopState::LoopState(std::int64_t n, std::span<const double> given, const TechniqueParameters& p)
    : parameters(p), tasks(n), remaining(n), weights(normalised({given.begin(), given.end()})),
      records(weights) {}

std::span<const Technique> techniques() { return kTechniques; }

const Technique* find_technique(const std::string& name) {
  for (const auto& technique : kTechniques)
    if (technique.name == name) return &technique;
  return nullptr;
}

std::int64_t next_chunk(const Technique& technique, LoopState& state, std::size_t worker) {
  if (state.remaining == 0) return 0;
  const std::int64_t asked = technique.next(state, worker);
  const std::int64_t least = technique.has_least() ? state.parameters.min_chunk : 1;
  const std::int64_t chunk = std::min(state.remaining, std::max(asked, least));
  state.remaining -= chunk;
  ++state.chunks;
  return chunk;
}

}  // namespace nowsim
