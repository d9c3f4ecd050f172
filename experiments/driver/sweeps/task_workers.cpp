// The loop: give, wait, take.
#include "experiments/driver/sweeps/task_workers.hpp"

#include <algorithm>
#include <utility>

namespace nowsim {

TaskWorkers::TaskWorkers(std::function<std::string(const WorkerTask&)> work, int jobs)
    : work_(std::move(work)), workers_(static_cast<std::size_t>(std::max(1, jobs))) {}

void TaskWorkers::finish(const std::vector<Task>& tasks, const Answered& answered,
                         const std::function<void()>& waited) {
  for (std::size_t next = 0, done = 0; done < tasks.size();) {
    for (auto& worker : workers_) give(worker, tasks, next);
    wait();
    for (auto& worker : workers_) done += take(worker, tasks, answered) ? 1 : 0;
    waited();
  }
}

void TaskWorkers::give(Worker& worker, const std::vector<Task>& tasks, std::size_t& next) {
  if (worker.task || next == tasks.size()) return;
  if (!worker.process) worker.process = std::make_unique<WorkerProcess>(work_);
  worker.task = next++;
  worker.start = std::chrono::steady_clock::now();
  worker.process->give({&tasks[*worker.task].task, 1});
}

/// For news, but not longer than people wait for theirs.
void TaskWorkers::wait() const {
  constexpr double kPatience_s = 0.2;
  std::vector<const WorkerProcess*> busy;
  for (const auto& worker : workers_)
    if (worker.task) busy.push_back(worker.process.get());
  wait_for_news(busy, 0, kPatience_s);
}

/// Whether the worker's task is over.
bool TaskWorkers::take(Worker& worker, const std::vector<Task>& tasks, const Answered& answered) {
  if (!worker.task) return false;
  const std::size_t task = *worker.task;
  const auto answer = worker.process->take();
  if (!answer) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - worker.start;
    if (tasks[task].allowed_s == 0 || passed.count() <= tasks[task].allowed_s) return false;
    worker = {};
    answered(task, std::nullopt);
    return true;
  }
  worker.task.reset();
  answered(task, answer);
  if (worker.process->is_dead()) worker.process.reset();
  return true;
}

}  // namespace nowsim
