// Finding splits in worker processes, each once, and putting them into the points.
#include "experiments/driver/sweeps/resolve_splits.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/sweeps/task_workers.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
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

/// What is stored; the others are null.
std::vector<Outcome> recalled(const Wanted& wanted, BatchStore* store) {
  std::vector<Outcome> outcomes(wanted.keys.size());
  for (std::size_t k = 0; store != nullptr && k < outcomes.size(); ++k)
    if (auto known = store->find_split(wanted.keys[k]))
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
  if (outcome.report)
    point.state = with_split(open, point.plan, outcome.report);
  else if (outcome.kind == ChildOutcome::Kind::infeasible)
    point.state = InfeasiblePoint{outcome.sentence};
  else
    point.state = FailedPoint{outcome.sentence};
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

/// Finds those that are not known.
void find_all(const Wanted& wanted, std::vector<Outcome>& outcomes, BatchStore* store, const RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<TaskWorkers::Task> tasks;
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    if (!outcomes[k].report) tasks.push_back({{k}, wanted.timeouts_s[k]});
  SplitProgress progress;
  progress.wanted = tasks.size();
  progress.recalled = outcomes.size() - tasks.size();
  const auto answered = [&](std::size_t t, const std::optional<WorkerAnswer>& answer) {
    const std::size_t k = tasks[t].task.number;
    ++progress.found;
    outcomes[k].kind = answer ? answer->kind : ChildOutcome::Kind::run_error;
    if (!answer) {  // it costs its points
      outcomes[k].sentence = "its split could not be found: the search took longer than " +
                             short_number(wanted.timeouts_s[k]) + " s (run.timeout)";
    } else if (answer->kind == ChildOutcome::Kind::done) {
      outcomes[k].report = std::make_shared<const SplitReport>(unpack_split_report(std::string(answer->text)));
      if (store != nullptr) {
        store->keep_split(wanted.keys[k], *outcomes[k].report);
        store->commit();
      }
    } else {
      outcomes[k].sentence = "its split could not be found: " + std::string(answer->text);
    }
  };
  TaskWorkers([&](const WorkerTask& task) { return pack(find_split(*wanted.tasks[task.number])); }, context.jobs)
      .finish(tasks, answered, [&] {
        context.end_if_interrupted();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        progress.seconds = passed.count();
        context.on_progress(progress);
      });
}

}  // namespace

std::vector<std::shared_ptr<const SplitTask>> open_splits(const Experiment& experiment) {
  return wanted_splits(experiment).tasks;
}

Experiment resolve_splits(Experiment experiment, BatchStore* store, const RunContext& context) {
  if (!experiment.has_open_splits()) return experiment;
  const Wanted wanted = wanted_splits(experiment);
  auto outcomes = recalled(wanted, store);
  find_all(wanted, outcomes, store, context);
  settle_all(experiment, wanted, outcomes);
  return experiment;
}

Experiment recall_splits(Experiment experiment, BatchStore& store) {
  if (!experiment.has_open_splits()) return experiment;
  const Wanted wanted = wanted_splits(experiment);
  settle_all(experiment, wanted, recalled(wanted, &store));
  return experiment;
}

std::string split_key(const SplitTask& task) {
  Scenario scenario = *task.scenario;
  if (!task.is_partial) scenario.share_flop.clear();  // which follow
  return ScenarioKeys().key(scenario, engine_name(task.engine)) + " " + task.identity();
}

}  // namespace nowsim
