// Searches' tasks given out to worker processes, one at a time to each: processes are made once, not for each task.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/platform/worker_process.hpp"

namespace nowsim {

class TaskWorkers {
 public:
  /// A task, and how long it may take [s]; 0: as long as it takes.
  struct Task {
    WorkerTask task;
    double allowed_s = 0;
  };
  /// What became of a task, by its place in the list; nothing where it took longer than it may.
  using Answered = std::function<void(std::size_t, const std::optional<WorkerAnswer>&)>;

  /// `work` is done in the workers, at most `jobs`, which see the memory as it is when the first task is given out.
  TaskWorkers(std::function<std::string(const WorkerTask&)> work, int jobs);
  /// Does all of them. `waited` is called after each wait, of 0.2 s at most, and may throw.
  void finish(const std::vector<Task>& tasks, const Answered& answered, const std::function<void()>& waited);

 private:
  struct Worker {
    std::unique_ptr<WorkerProcess> process;
    std::optional<std::size_t> task = {};
    std::chrono::steady_clock::time_point start = {};  ///< of its task
  };
  void give(Worker& worker, const std::vector<Task>& tasks, std::size_t& next);
  void wait() const;
  bool take(Worker& worker, const std::vector<Task>& tasks, const Answered& answered);

  std::function<std::string(const WorkerTask&)> work_;
  std::vector<Worker> workers_;
};

}  // namespace nowsim
