// What workers have reported of the tasks they did, and sums over all workers that techniques decide by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nowsim {

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
  [[nodiscard]] double variance_s2() const;        ///< of a sample; 0 for fewer than two tasks
  void add(const ChunkReport& chunk);
};

/// Sums over workers.
struct WorkerTotals {
  double speeds = 0, weights = 0;               ///< of those that have a speed: these, and the weights given (AWF)
  std::int64_t with_mean = 0;                   ///< how many have one, and of them (AF):
  double spreads_s = 0, rates = 0;              ///< sigma^2/mu, 1/mu,
  double fastest_spread_s = 0, fastest_rate = 0;  ///< and both of the one with the least mean (the first of equal ones)
};

/// All workers' records. Totals are kept in a tree of pairs of workers, so that a report costs log P and no sum drifts.
class WorkerRecords {
 public:
  explicit WorkerRecords(std::span<const double> weights);
  void add(std::size_t worker, const ChunkReport& chunk);
  [[nodiscard]] const WorkerRecord& operator[](std::size_t worker) const { return records_[worker]; }
  [[nodiscard]] std::size_t size() const { return records_.size(); }
  [[nodiscard]] const WorkerTotals& totals() const { return totals_[1]; }
  /// All tasks of all workers, as if one had done them.
  [[nodiscard]] const WorkerRecord& all() const { return all_; }

 private:
  std::vector<WorkerRecord> records_;
  WorkerRecord all_;
  std::vector<double> weights_;
  std::size_t leaves_;                // a power of two
  std::vector<WorkerTotals> totals_;  // node i has the children 2i and 2i + 1; the root is 1, worker w's leaves_ + w
};

}  // namespace nowsim
