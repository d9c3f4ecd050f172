// Finding splits in worker processes, each once, and putting them into the points.
#include "experiments/driver/sweeps/resolve_splits.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <vector>

#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/worker_process.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {
namespace {

/// What became of a task: a report, or why there is none.
struct Outcome {
  std::shared_ptr<const SplitReport> report;
  ChildOutcome::Kind kind = ChildOutcome::Kind::done;
  std::string sentence;
};

/// Tasks that differ, in the order in which points have them.
struct Wanted {
  std::vector<std::string> keys;
  std::vector<std::shared_ptr<const SplitTask>> tasks;
  std::vector<double> timeouts_s;  ///< the longest of the points' that want it; 0: none
  std::map<std::string, std::size_t> index;
};

Wanted wanted_splits(const Experiment& experiment) {
  Wanted wanted;
  for (const auto& point : experiment.points) {
    const auto* open = point.as<OpenSplit>();
    if (open == nullptr) continue;
    const std::string key = split_key(*open->task);
    const auto [known, is_new] = wanted.index.try_emplace(key, wanted.keys.size());
    if (!is_new) {
      double& longest_s = wanted.timeouts_s[known->second];
      const bool has_both = longest_s > 0 && point.plan.timeout_s > 0;
      longest_s = has_both ? std::max(longest_s, point.plan.timeout_s) : 0;
      continue;
    }
    wanted.keys.push_back(key);
    wanted.tasks.push_back(open->task);
    wanted.timeouts_s.push_back(point.plan.timeout_s);
  }
  return wanted;
}

/// What is remembered; the others are null.
std::vector<Outcome> recalled(const Wanted& wanted, SplitMemory& memory) {
  std::vector<Outcome> outcomes(wanted.keys.size());
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    if (auto known = memory.find(wanted.keys[k]))
      outcomes[k].report = std::make_shared<const SplitReport>(std::move(*known));
  return outcomes;
}

/// The open point with the shares that were found.
ReadyPoint with_split(const OpenSplit& open, const RunPlan& plan, const std::shared_ptr<const SplitReport>& report) {
  Scenario scenario = *open.task->scenario;
  scenario.share_flop = report->share_flop;
  reduce_variance(scenario, *plan.variance_reduction);
  ReadyPoint ready{open.provisional, report};
  ready.scenarios.scenario = std::make_shared<const Scenario>(std::move(scenario));
  return ready;
}

void settle(Point& point, const OpenSplit& open, const Outcome& outcome) {
  if (outcome.report) point.state = with_split(open, point.plan, outcome.report);
  else if (outcome.kind == ChildOutcome::Kind::infeasible) point.state = InfeasiblePoint{outcome.sentence};
  else point.state = FailedPoint{outcome.sentence};
}

/// Puts those outcomes in that are there.
void settle_all(Experiment& experiment, const Wanted& wanted, const std::vector<Outcome>& outcomes) {
  for (auto& point : experiment.points) {
    const auto* open = point.as<OpenSplit>();
    if (open == nullptr) continue;
    const Outcome& outcome = outcomes[wanted.index.at(split_key(*open->task))];
    if (outcome.report || !outcome.sentence.empty()) settle(point, *open, outcome);
  }
}

/// Gives tasks out to workers, one at a time: each takes long.
class SplitWorkers {
 public:
  SplitWorkers(const Wanted& wanted, std::vector<Outcome>& outcomes, SplitMemory& memory, const RunContext& context)
      : wanted_(wanted), outcomes_(outcomes), memory_(memory), context_(context) {
    for (std::size_t k = 0; k < outcomes.size(); ++k)
      if (!outcomes[k].report) open_.push_back(k);
    progress_.wanted = open_.size();
    progress_.recalled = outcomes.size() - open_.size();
    const auto jobs = static_cast<std::size_t>(std::max(1, context.jobs));
    workers_.resize(std::min(jobs, open_.size()));
  }

  void finish() {
    while (progress_.found < progress_.wanted) {
      for (auto& worker : workers_) give(worker);
      wait();
      for (auto& worker : workers_) take(worker);
      context_.end_if_interrupted();
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
      progress_.seconds = passed.count();
      context_.on_progress(progress_);
    }
  }

 private:
  struct Worker {
    std::unique_ptr<WorkerProcess> process;
    std::size_t task = 0;
    bool is_busy = false;
    std::chrono::steady_clock::time_point start = {};  ///< of its task
  };

  void give(Worker& worker) {
    if (worker.is_busy || next_ == open_.size()) return;
    if (!worker.process)
      worker.process = std::make_unique<WorkerProcess>(
          [this](const WorkerTask& task) { return pack(find_split(*wanted_.tasks[task.number])); });
    worker.task = open_[next_++];
    worker.is_busy = true;
    worker.start = std::chrono::steady_clock::now();
    const WorkerTask task{worker.task};
    worker.process->give({&task, 1});
  }

  /// For news, but not longer than people wait for theirs.
  void wait() const {
    constexpr double kPatience_s = 0.2;
    std::vector<const WorkerProcess*> busy;
    for (const auto& worker : workers_)
      if (worker.is_busy) busy.push_back(worker.process.get());
    wait_for_news(busy, 0, kPatience_s);
  }

  void take(Worker& worker) {
    if (!worker.is_busy) return;
    const auto answer = worker.process->take();
    if (!answer) return end_if_late(worker);
    worker.is_busy = false;
    ++progress_.found;
    Outcome& outcome = outcomes_[worker.task];
    outcome.kind = answer->kind;
    if (answer->kind == ChildOutcome::Kind::done) {
      outcome.report = std::make_shared<const SplitReport>(unpack_split_report(std::string(answer->text)));
      memory_.keep(wanted_.keys[worker.task], *outcome.report);
    } else {
      outcome.sentence = "its split could not be found: " + std::string(answer->text);
    }
    if (worker.process->is_dead()) worker.process.reset();
  }

  /// A search that takes longer than the time-out costs its points.
  void end_if_late(Worker& worker) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - worker.start;
    const double allowed_s = wanted_.timeouts_s[worker.task];
    if (allowed_s == 0 || passed.count() <= allowed_s) return;
    outcomes_[worker.task].kind = ChildOutcome::Kind::run_error;
    outcomes_[worker.task].sentence = "its split could not be found: the search took longer than " +
                                      short_number(allowed_s) + " s (run.timeout)";
    worker = Worker{};
    ++progress_.found;
  }

  const Wanted& wanted_;
  std::vector<Outcome>& outcomes_;
  SplitMemory& memory_;
  const RunContext& context_;
  std::vector<std::size_t> open_;  // tasks, by index
  std::size_t next_ = 0;           // of them
  std::vector<Worker> workers_;
  SplitProgress progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<std::shared_ptr<const SplitTask>> open_splits(const Experiment& experiment) {
  return wanted_splits(experiment).tasks;
}

Experiment resolve_splits(Experiment experiment, SplitMemory& memory, const RunContext& context) {
  if (!experiment.has_open_splits()) return experiment;
  const Wanted wanted = wanted_splits(experiment);
  auto outcomes = recalled(wanted, memory);
  SplitWorkers(wanted, outcomes, memory, context).finish();
  settle_all(experiment, wanted, outcomes);
  return experiment;
}

Experiment recall_splits(Experiment experiment, SplitMemory& memory) {
  if (!experiment.has_open_splits()) return experiment;
  const Wanted wanted = wanted_splits(experiment);
  settle_all(experiment, wanted, recalled(wanted, memory));
  return experiment;
}

std::string split_key(const SplitTask& task) {
  Scenario scenario = *task.scenario;
  if (!task.is_partial) scenario.share_flop.clear();  // which follow
  return ScenarioKeys().key(scenario, engine_name(task.engine)) + " " + task.identity();
}

}  // namespace nowsim
