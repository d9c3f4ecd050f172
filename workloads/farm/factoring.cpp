// FAC and FAC2: batches of equal chunks, each batch a part of what remains. WF and AWF-B to AWF-E: in proportion to the
// workers' weights, given or measured.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

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

/// Begins a batch of P·ceil(R/(2P)) tasks, P·least at least, where the last one has been handed out.
void enter_batch(LoopState& s, std::int64_t least) {
  if (s.batch_left > 0) return;
  s.batch_chunk = std::max(least, ceil_div(s.remaining, 2 * s.workers()));
  s.batch_left = std::min(s.remaining, s.batch_chunk * s.workers());
  ++s.batches;
}

/// Of the batch so many tasks, but min_chunk at least, and with them a rest of fewer than `least_rest`.
std::int64_t part_of_batch(LoopState& s, std::int64_t wanted, std::int64_t least_rest) {
  const std::int64_t part = std::min(s.batch_left, std::max(s.parameters.min_chunk, wanted));
  const std::int64_t chunk = s.batch_left - part < least_rest ? s.batch_left : part;
  s.batch_left -= chunk;
  return chunk;
}

/// w_i·K_j tasks: the next batch begins when the last has been used up, whoever has asked (DLS4LB).
std::int64_t by_given_weights(LoopState& s, std::size_t worker) {
  enter_batch(s, 1);
  const double wanted = s.weights[worker] * static_cast<double>(s.batch_chunk);
  return part_of_batch(s, rounded_tasks(wanted), s.parameters.min_chunk);
}

// AWF-*: w_i = (1/pi_i) / mean of 1/pi, where pi_i is the mean time per task of worker i's chunks, the k-th of which
// counts k times.

// ---- as LB4OMP --------------------------------------------------------------------------------------------------------

/// The mean is over those who have reported. Who has not keeps the weight that it was given, 1 unless a split says
/// otherwise, as KMP_WEIGHTS does (lines 2465-2470 and 5180-5217).
double weight_among_reporters(const LoopState& s, std::size_t worker) {
  const WorkerRecord& record = s.records[worker];
  if (!record.has_speed()) return s.weights[worker];
  const WorkerTotals& all = s.records.totals();
  return record.speed() * static_cast<double>(all.with_mean) / all.speeds;
}

/// A part of a task counts as one (lines 5261 and 5402), unless rounding alone has made it: of workers that are all alike.
std::int64_t weighted(double weight, std::int64_t tasks) {
  constexpr double kRounding = 1e-12;
  return static_cast<std::int64_t>(std::ceil(weight * static_cast<double>(tasks) * (1 - kRounding)));
}

/// ceil(N/(2P)) tasks (lines 2472 and 2529).
std::int64_t first_chunk(const LoopState& s) {
  return static_cast<std::int64_t>(std::ceil(0.5 * static_cast<double>(s.tasks) / static_cast<double>(s.workers())));
}

/// K_0 = ceil(N/(2P)), K_j = ceil(K_(j-1)/2), whatever remains: every P chunks, whoever asks for them, are a batch (lines
/// 5230-5261). Weights are those of the moment, in the first batch too.
std::int64_t adaptive_by_counted_batches(LoopState& s, std::size_t worker) {
  if (s.chunks == 0) s.batch_chunk = first_chunk(s);
  for (; s.batches < s.chunks / s.workers(); ++s.batches) s.batch_chunk = ceil_div(s.batch_chunk, 2);
  return weighted(weight_among_reporters(s, worker), s.batch_chunk);
}

/// A worker's first chunk is of the whole loop, later ones of what remains (lines 5392-5402).
std::int64_t adaptive_by_chunks(LoopState& s, std::size_t worker) {
  const double factor = 1 / (2 * static_cast<double>(s.workers()));
  const std::int64_t chunk = s.records[worker].chunks == 0
                                 ? first_chunk(s)
                                 : static_cast<std::int64_t>(std::ceil(static_cast<double>(s.remaining) * factor));
  return weighted(weight_among_reporters(s, worker), chunk);
}

// ---- as DLS4LB --------------------------------------------------------------------------------------------------------

/// pi by what the chunks took, from their arrival on (lines 908-914).
ForemanReport of_all_chunks(const WorkerRecord& record) { return {1 / record.speed()}; }

/// The same where the latest chunk's time, of k chunks, is counted once more, k + 1 times (AWF-D and AWF-E: lines 938-944,
/// after what lines 857-861 have added at the chunk's end).
ForemanReport of_all_chunks_and_the_latest(const WorkerRecord& record) {
  const double once_more_s = static_cast<double>(record.chunks + 1) * record.last.time_s;
  return {(record.weighted_time_s + once_more_s) / record.weighted_tasks};
}

using ForemanRule = ForemanReport (*)(const WorkerRecord&);

/// The mean is over all workers (lines 282-292). 0: the worker has not reported.
template <ForemanRule report>
double weight_among_all(LoopState& s, std::size_t worker) {
  const ForemanStatistics& known = foreman_statistics(s, worker, report);
  const double own_s = known.all()[worker].mean_s;
  if (!known.has_reported(worker) || !(own_s > 0)) return 0;
  double speeds = 0;
  for (const ForemanReport& each : known.all()) speeds += each.mean_s > 0 ? 1 / each.mean_s : 0;
  return static_cast<double>(s.workers()) / (own_s * speeds);
}

/// Of a batch of P·ceil(R/(2P)) tasks; a rest of it of min_chunk or less is handed out with the last chunk. A worker's
/// first chunk is min_chunk, and ends a batch that has begun (lines 276-302 and 362-369).
template <ForemanRule report>
std::int64_t adaptive_by_used_up_batches(LoopState& s, std::size_t worker) {
  const std::int64_t least = s.parameters.min_chunk;
  const double weight = weight_among_all<report>(s, worker);
  if (weight == 0) {
    s.batch_left = 0;
    return least;
  }
  enter_batch(s, least);
  return part_of_batch(s, rounded_as_dls4lb(weight * static_cast<double>(s.batch_chunk)), least + 1);
}

/// Of what remains, without batches (lines 308-327).
template <ForemanRule report>
std::int64_t adaptive_by_chunks_of_foreman(LoopState& s, std::size_t worker) {
  const double weight = weight_among_all<report>(s, worker);
  if (weight == 0) return s.parameters.min_chunk;
  return rounded_as_dls4lb(weight * static_cast<double>(ceil_div(s.remaining, 2 * s.workers())));
}

using NextChunk = std::int64_t (*)(LoopState&, std::size_t);

/// Of what nothing published has been read: LB4OMP's unless `as` says otherwise. Its whole times are from asking for a
/// chunk to asking for the next one (lines 5467-5468), DLS4LB's from a chunk's arrival to its end.
Technique adaptive_weighted(const std::string& name, const std::string& summary, NextChunk lb4omp, NextChunk dls4lb,
                            Technique::Learns learns = Technique::Learns::chunk_times) {
  const bool by_whole_times = learns == Technique::Learns::whole_times;
  return {.name = name,
          .summary = summary + (by_whole_times ? ", with the time that scheduling takes" : ""),
          .citation = "Carino & Banicescu, J. Supercomputing 44(1), 2008",
          .uses_shares = true,
          .versions = {{.name = "LB4OMP", .next = lb4omp, .learns = learns},
                       {.name = "DLS4LB", .next = dls4lb, .learns = Technique::Learns::chunk_times, .usual_least = 0}}};
}

}  // namespace

std::vector<Technique> factoring() {
  constexpr const char* kHummel = "Hummel, Schonberg & Flynn, CACM 35(8), 1992";
  return {{.name = "FAC",
           .summary = "factoring: batches of P equal chunks, by mean and standard deviation of the tasks",
           .citation = kHummel,
           .next = [](LoopState& s, std::size_t) { return batched(s, factoring_ratio); }},
          // x = 2, of what really remains: 1000 tasks on 4 give 125, 63, 31, 16, 8, 4, 2, 1, each four times. (Tables
          // of the closed form ceil(N/(P·2^(j+1))) have 32 in the third batch, as LB4OMP's FAC2, and end sooner.)
          {.name = "FAC2",
           .summary = "factoring: each batch is half of what remains",
           .citation = kHummel,
           .next = [](LoopState& s, std::size_t) { return batched(s, [](const LoopState&) { return 2.0; }); }}};
}

std::vector<Technique> weighted_factoring() {
  constexpr auto kWhole = Technique::Learns::whole_times;
  const std::string by_batches = "WF by measured speeds, all alike until a client has reported";
  const std::string by_chunks = "WF by measured speeds and by what remains, set anew for each chunk";
  return {
      {.name = "WF",
       .summary = "FAC2 whose chunks are in proportion to the shares of the split, or to the machines' mean speeds",
       .citation = "Hummel, Schmidt, Uma & Wein, SPAA 1996",
       .next = by_given_weights,
       .uses_shares = true,
       .weighs_speeds = true},
      adaptive_weighted("AWF-B", by_batches, adaptive_by_counted_batches, adaptive_by_used_up_batches<of_all_chunks>),
      adaptive_weighted("AWF-C", by_chunks, adaptive_by_chunks, adaptive_by_chunks_of_foreman<of_all_chunks>),
      adaptive_weighted("AWF-D", by_batches, adaptive_by_counted_batches,
                        adaptive_by_used_up_batches<of_all_chunks_and_the_latest>, kWhole),
      adaptive_weighted("AWF-E", by_chunks, adaptive_by_chunks,
                        adaptive_by_chunks_of_foreman<of_all_chunks_and_the_latest>, kWhole)};
}

}  // namespace nowsim
