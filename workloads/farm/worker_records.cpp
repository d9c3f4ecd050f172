// Records of one worker, a tree of sums over all, and what follows for those who have not reported.
#include "workloads/farm/worker_records.hpp"

#include <any>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

WorkerTotals totals_of(const WorkerRecord& record) {
  WorkerTotals t;
  if (record.has_speed()) t.speeds = record.speed();
  if (record.has_mean()) {
    t.with_mean = 1;
    t.spreads_s = t.fastest_spread_s = record.variance_s2() / record.mean_s;
    t.rates = t.fastest_rate = 1 / record.mean_s;
  }
  return t;
}

WorkerTotals sum(const WorkerTotals& a, const WorkerTotals& b) {
  const WorkerTotals& fastest = b.fastest_rate > a.fastest_rate ? b : a;
  return {a.speeds + b.speeds, a.with_mean + b.with_mean, a.spreads_s + b.spreads_s,
          a.rates + b.rates,   fastest.fastest_spread_s,  fastest.fastest_rate};
}

}  // namespace

/// Means and squares of two samples together: Chan, Golub & LeVeque, "Algorithms for computing the sample variance",
/// The American Statistician 37(3), 1983.
void WorkerRecord::add(const ChunkReport& chunk) {
  if (chunk.tasks <= 0) return;
  ++chunks;
  const auto k = static_cast<double>(chunks), before = static_cast<double>(tasks), n = static_cast<double>(chunk.tasks);
  weighted_time_s += k * chunk.time_s;
  weighted_tasks += k * n;
  const double difference = chunk.time_s / n - mean_s, all = before + n;
  squares_s2 += chunk.squares_s2 + difference * difference * before * n / all;
  mean_s += difference * n / all;
  tasks += chunk.tasks;
  last = chunk;
}

void WorkerRecords::add(std::size_t worker, const ChunkReport& chunk) {
  records_[worker].add(chunk);
  all_.add(chunk);
  std::size_t node = leaves_ + worker;
  totals_[node] = totals_of(records_[worker]);
  for (node /= 2; node > 0; node /= 2) totals_[node] = sum(totals_[2 * node], totals_[2 * node + 1]);
}

void ForemanStatistics::note(std::size_t worker, const WorkerRecord& record,
                             ForemanReport (*report)(const WorkerRecord&)) {
  if (record.chunks <= counts_[worker]) return;
  if (counts_[worker] == 0) ++reported_;
  counts_[worker] = record.chunks;
  reports_[worker] = report(record);
  if (reported_ == counts_.size()) return;
  std::size_t fastest = worker;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] > 0 && reports_[i].mean_s < reports_[fastest].mean_s) fastest = i;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] == 0) reports_[i] = reports_[fastest];
}

const ForemanStatistics& foreman_statistics(LoopState& state, std::size_t worker,
                                            ForemanReport (*report)(const WorkerRecord&)) {
  if (!state.memory.has_value()) state.memory = ForemanStatistics(state.records.size());
  auto& statistics = *std::any_cast<ForemanStatistics>(&state.memory);
  statistics.note(worker, state.records[worker], report);
  return statistics;
}

}  // namespace nowsim
