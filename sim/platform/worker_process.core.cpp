// Where there are no processes: tasks are done here, one after another, when their answers are taken.
#include "sim/platform/worker_process.hpp"

#include <deque>

namespace nowsim {

struct WorkerProcess::State {
  std::function<std::string(const WorkerTask&)> work;
  std::deque<WorkerTask> tasks{};
  ChildOutcome last{};
};

WorkerProcess::WorkerProcess(const std::function<std::string(const WorkerTask&)>& work)
    : state_(std::make_unique<State>(State{work})) {}

WorkerProcess::WorkerProcess(const std::function<std::string()>& work, Errors /*errors*/)
    : WorkerProcess([work](const WorkerTask&) { return work(); }) {
  state_->tasks.emplace_back();
}

WorkerProcess::~WorkerProcess() = default;

bool WorkerProcess::is_dead() const { return false; }

void WorkerProcess::ask_to_stop() const {}

void WorkerProcess::give(std::span<const WorkerTask> tasks) {
  state_->tasks.insert(state_->tasks.end(), tasks.begin(), tasks.end());
}

std::optional<WorkerAnswer> WorkerProcess::take() {
  if (state_->tasks.empty()) return std::nullopt;
  const WorkerTask task = state_->tasks.front();
  state_->tasks.pop_front();
  state_->last = outcome_of([&] { return state_->work(task); });
  return WorkerAnswer{state_->last.kind, state_->last.text};
}

std::vector<bool> wait_for_news(std::span<const WorkerProcess* const> workers, double, double) {
  return std::vector<bool>(workers.size(), true);
}

}  // namespace nowsim
