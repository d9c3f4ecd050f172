// A forked process that does tasks one after another, so that the process that hands them out need not fork for each,
// nor be asked for each: several may wait in its queue.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/platform/child_outcome.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// A task: a number that both sides know, and a range.
struct WorkerTask {
  std::uint64_t number = 0;
  Batch batch;
};

/// What a worker says of a task.
struct WorkerAnswer {
  ChildOutcome::Kind kind = ChildOutcome::Kind::run_error;
  std::string_view text;  ///< what the work returned, or the sentence; there until the worker is asked again
};

/// What tasks write to the standard streams is shown to nobody, unless the worker dies of one: then it is the reason.
/// A worker sees the memory as it was when it was made. It ends with its parent; destroying the object kills it, and all
/// processes that it has started by ChildProcess with it.
class WorkerProcess {
 public:
  /// Forks. `work` is called in the worker for each task; its exceptions become the task's outcome.
  explicit WorkerProcess(const std::function<std::string(const WorkerTask&)>& work);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Puts tasks into the worker's queue. They are few: more than fit into a socket's buffer would have to wait.
  void give(std::span<const WorkerTask> tasks);
  /// The outcome of the first task that has none yet, if it is there, without blocking. A worker that has died gives a
  /// run_error for the task that it was at, and is of no use: the tasks behind that one were not begun.
  std::optional<WorkerAnswer> take();
  [[nodiscard]] bool is_dead() const;

 private:
  friend std::vector<bool> wait_for_news(std::span<const WorkerProcess* const>, double, double);
  struct State;
  std::unique_ptr<State> state_;
};

/// Waits until one of the workers, which have tasks, has news, but not longer than that [s]: who has, in their order. It
/// sleeps for `nap_s` first, so that answers gather.
std::vector<bool> wait_for_news(std::span<const WorkerProcess* const> workers, double nap_s, double patience_s);

}  // namespace nowsim
