// WF and AWF-B to AWF-E: factoring whose chunks are in proportion to the workers' weights, given or measured.
#include <algorithm>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

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
  const std::int64_t wanted = rounded_tasks(weight * static_cast<double>(s.batch_chunk));
  const std::int64_t part = std::min(s.batch_left, std::max(least, wanted));
  const std::int64_t chunk = s.batch_left - part < least ? s.batch_left : part;  // no rest that is too small
  s.batch_left -= chunk;
  return chunk;
}

std::int64_t by_given_weights(LoopState& s, std::size_t worker) {
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
  return rounded_tasks(measured_weight(s, worker) * static_cast<double>(ceil_div(s.remaining, 2 * s.workers())));
}

constexpr const char* kCarino = "Carino & Banicescu, J. Supercomputing 44(1), 2008";

/// The same by the chunks' whole times, with what scheduling costs, from asking for a chunk to its end (LB4OMP; in
/// DLS4LB from its arrival).
Technique by_whole_times(Technique technique, const std::string& name) {
  technique.name = name;
  technique.summary += ", with the time that scheduling takes";
  technique.learns = Technique::Learns::whole_times;
  return technique;
}

}  // namespace

Technique weighted_factoring() {
  return {.name = "WF",
          .summary = "FAC2 whose chunks are in proportion to the shares that the split gives",
          .citation = "Hummel, Schmidt, Uma & Wein, SPAA 1996",
          .next = by_given_weights,
          .uses_shares = true};
}

Technique adaptive_weighted_factoring_by_batches() {
  return {.name = "AWF-B",
          .summary = "WF by measured speeds from the second batch on",
          .citation = kCarino,
          .next = adaptive_by_batches,
          .learns = Technique::Learns::chunk_times,
          .uses_shares = true};
}

Technique adaptive_weighted_factoring_by_chunks() {
  return {.name = "AWF-C",
          .summary = "WF by measured speeds, set anew for each chunk",
          .citation = kCarino,
          .next = adaptive_by_chunks,
          .learns = Technique::Learns::chunk_times,
          .uses_shares = true};
}

Technique adaptive_weighted_factoring_by_batches_and_whole_times() {
  return by_whole_times(adaptive_weighted_factoring_by_batches(), "AWF-D");
}

Technique adaptive_weighted_factoring_by_chunks_and_whole_times() {
  return by_whole_times(adaptive_weighted_factoring_by_chunks(), "AWF-E");
}

}  // namespace nowsim
