// What workers have reported of the tasks they did: sums over all workers that techniques decide by, and what DLS4LB's
// foreman knows of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowsim {

struct LoopState;

/// What a worker has reported of chunks it has done: how many tasks, how long they took [s].
struct ChunkReport {
  std::int64_t tasks = 0;
  double time_s = 0;       ///< of all together
  double squares_s2 = 0;   ///< sum of squared deviations of the tasks' times from their mean; needs each task's time
  double whole_s = 0;      ///< from asking for the chunk to its end
};

/// The same over all chunks of a worker.
struct WorkerRecord {
  std::int64_t chunks = 0;
  double weighted_time_s = 0, weighted_tasks = 0;  ///< the k-th chunk counts k times (AWF)
  std::int64_t tasks = 0;
  double mean_s = 0, squares_s2 = 0;               ///< of the tasks' times (AF)
  ChunkReport last = {};                           ///< of the latest chunk
  [[nodiscard]] bool has_speed() const { return weighted_time_s > 0; }
  [[nodiscard]] bool has_mean() const { return tasks > 0 && mean_s > 0; }
  /// 1/pi: tasks per second, by the mean time per task of its chunks, the k-th with weight k; of one that has_speed().
  [[nodiscard]] double speed() const { return weighted_tasks / weighted_time_s; }
  /// Of a sample; 0 for fewer than two tasks.
  [[nodiscard]] double variance_s2() const { return tasks > 1 ? squares_s2 / static_cast<double>(tasks - 1) : 0; }
  void add(const ChunkReport& chunk);
};

/// Sums over workers.
struct WorkerTotals {
  double speeds = 0;                            ///< of those that have one (AWF)
  std::int64_t with_mean = 0;                   ///< how many have one, and of them (AF):
  double spreads_s = 0, rates = 0;              ///< sigma^2/mu, 1/mu,
  double fastest_spread_s = 0, fastest_rate = 0;  ///< and both of the one with the least mean (the first of equal ones)
};

/// All workers' records. Totals are kept in a tree of pairs of workers, so that a report costs log P and no sum drifts.
class WorkerRecords {
 public:
  explicit WorkerRecords(std::size_t workers)
      : records_(workers), leaves_(std::bit_ceil(std::max<std::size_t>(1, workers))), totals_(2 * leaves_) {}
  void add(std::size_t worker, const ChunkReport& chunk);
  [[nodiscard]] const WorkerRecord& operator[](std::size_t worker) const { return records_[worker]; }
  [[nodiscard]] std::size_t size() const { return records_.size(); }
  [[nodiscard]] const WorkerTotals& totals() const { return totals_[1]; }
  /// All tasks of all workers, as if one had done them.
  [[nodiscard]] const WorkerRecord& all() const { return all_; }

 private:
  std::vector<WorkerRecord> records_;
  WorkerRecord all_;
  std::size_t leaves_;                // a power of two
  std::vector<WorkerTotals> totals_;  // node i has the children 2i and 2i + 1; the root is 1, worker w's leaves_ + w
};

/// A worker's time per task, as it reports it, and how its tasks' times vary [s].
struct ForemanReport {
  double mean_s = 0;
  double deviation_s = 0;
};

/// All workers' reports. Who has not reported has the numbers of the fastest of the others, until everybody has reported.
class ForemanStatistics {
 public:
  explicit ForemanStatistics(std::size_t workers) : reports_(workers), counts_(workers) {}
  /// Notes what `report` makes of a worker's record, unless that is known (DLS4LB, lines 764-788).
  void note(std::size_t worker, const WorkerRecord& record, ForemanReport (*report)(const WorkerRecord&));
  [[nodiscard]] bool has_reported(std::size_t worker) const { return counts_[worker] > 0; }
  /// What counts for each; only once somebody has reported.
  [[nodiscard]] const std::vector<ForemanReport>& all() const { return reports_; }

 private:
  std::vector<ForemanReport> reports_;
  std::vector<std::int64_t> counts_;  ///< of the chunks that a report is of
  std::size_t reported_ = 0;  ///< workers
};

/// The foreman's, with what a worker that asks now has reported since it last asked, as `report` makes it of the records.
/// It is kept in the state's memory.
const ForemanStatistics& foreman_statistics(LoopState& state, std::size_t worker,
                                            ForemanReport (*report)(const WorkerRecord&));

/// A part of a task is dropped once 0.55 has been added (DLS4LB, lines 300, 322 and 341).
inline std::int64_t rounded_as_dls4lb(double tasks) { return static_cast<std::int64_t>(tasks + 0.55); }

}  // namespace nowsim
