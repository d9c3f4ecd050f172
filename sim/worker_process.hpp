// A forked process that does tasks one after another, so that the process that hands them out need not fork for each.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/child_process.hpp"
#include "sim/scenario.hpp"

namespace nowsim {

/// A task: a number that both sides know, and a range.
struct WorkerTask {
  std::uint64_t number = 0;
  Batch batch;
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

  /// Hands a task out; one at a time.
  void give(const WorkerTask& task);
  /// To be polled for reading.
  [[nodiscard]] int fd() const { return fd_; }
  /// The task's outcome if it is there, without blocking. A worker that has died gives a run_error, and is of no use.
  std::optional<ChildOutcome> take();
  [[nodiscard]] bool is_dead() const { return dead_; }

 private:
  /// How the worker came to its end; it has.
  std::string end();

  pid_t pid_ = -1;
  int fd_ = -1;
  int said_fd_ = -1;  ///< a file in memory: what the worker wrote to its streams during its task
  std::string received_;
  bool dead_ = false;
};

}  // namespace nowsim
