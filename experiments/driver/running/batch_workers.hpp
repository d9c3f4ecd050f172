// Worker processes that compute an execution plan's batches: several short ones wait in each worker's queue, so that neither the
// workers wait for the process that hands batches out, nor it is woken for each.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "sim/engines/engine.hpp"
#include "sim/metrics/point_statistics.hpp"
#include "sim/platform/worker_process.hpp"

namespace nowsim {

/// A batch of an execution plan's series.
struct BatchTask {
  std::size_t series = 0;
  std::uint64_t index = 0;
  Batch batch;
};

/// What a batch came to: statistics or a failure.
struct BatchAnswer {
  BatchTask task;
  std::optional<BatchStatistics> statistics;
  std::string_view packed;  ///< with statistics, where asked for: pack() of the record, as long as it is handled
  double seconds = 0;       ///< what it took, on the wall clock
  std::string failure;      ///< a sentence
  bool is_input = false;    ///< the failure is the input's
};

/// How long a queue may last [s]: long beside the time in which it is filled again, short beside what people notice.
inline constexpr double kQueue_s = 0.002;
inline constexpr std::size_t kLongestQueue = 256;

/// How many batches may be in a worker's queue if each takes so long [s] (0: not known), and so many are left for so
/// many workers.
std::size_t queue_length(double batch_s, std::uint64_t left, std::size_t jobs);

class BatchWorkers {
 public:
  /// The execution plan must outlive it, and is what it is now for the workers, which are made when they are needed.
  /// `with_packed`: answers bring all that is recorded, for a store. `here`: computes batches in this process,
  /// in collect() and without time-outs; null: there are workers.
  BatchWorkers(const ExecutionPlan& execution, std::size_t jobs, bool with_packed, BatchRunner* here = nullptr)
      : execution_(&execution), here_(here), jobs_(here ? 1 : jobs), with_packed_(with_packed) {
    workers_.reserve(jobs_);
  }

  /// Of this series what is recorded is not asked for; to be said before the first batch is given out.
  void leave_packed(std::size_t series) { left_.insert(series); }
  /// Whether a batch can be given out, of so many that are left. At the end queues are short, so that no worker has
  /// several batches before it while another has none.
  [[nodiscard]] bool has_room(std::uint64_t left) const;
  /// Queues a batch where the least waits; it is on its way with the next call of send() or collect().
  void give(const BatchTask& task);
  void send();
  [[nodiscard]] bool is_idle() const;
  /// Batches that were not begun, because their worker met its end at another; empties the list.
  std::vector<BatchTask> take_back() { return std::exchange(returned_, {}); }

  /// Sends what is queued, waits for answers, but not longer than that, and hands over those that are there. A batch
  /// that takes longer than its series' timeout is a failure; one that is surplus is ended after a moment, too.
  void collect(double patience_s, const std::function<bool(std::size_t series)>& is_surplus,
               const std::function<void(BatchAnswer)>& handle);

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    std::unique_ptr<WorkerProcess> process;
    std::deque<BatchTask> tasks;    ///< of which it is at the first
    std::size_t unsent = 0;         ///< of them, the last so many
    Clock::time_point start;        ///< of the first, or somewhat later
    double batch_s = 0;             ///< what a batch took lately; 0: not known
  };

  [[nodiscard]] std::unique_ptr<WorkerProcess> new_process() const;
  void compute_here(const std::function<void(BatchAnswer)>& handle);
  [[nodiscard]] double nap_s() const;
  /// Who has news, per worker with batches.
  [[nodiscard]] std::vector<bool> wait(double patience_s, const std::function<bool(std::size_t)>& is_surplus) const;
  void take_answers(Worker& worker, const std::function<void(BatchAnswer)>& handle);
  BatchTask pop(Worker& worker);
  /// Ends the process; the batches that are still in its queue were not begun.
  void end_process(Worker& worker);
  /// How much longer the worker may be at its batch [s].
  [[nodiscard]] double left_s(const Worker& worker, const std::function<bool(std::size_t)>& is_surplus) const;

  const ExecutionPlan* execution_;
  BatchRunner* here_;
  std::size_t jobs_;
  bool with_packed_;
  std::set<std::size_t> left_;  // series whose records are not packed
  std::vector<Worker> workers_;
  std::vector<BatchTask> returned_;
};

}  // namespace nowsim
