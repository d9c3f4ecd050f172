// Splits in worker processes, each once; then sizes (solve_sizes.cpp).
#include "experiments/driver/sweeps/prepare.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/sweeps/size_search.hpp"
#include "experiments/driver/sweeps/task_workers.hpp"
#include "sim/base/text.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

/// A split that points want, and what became of it: a report, or why there is none; neither: it is still to be found.
struct WantedSplit {
  std::string key;
  std::shared_ptr<const SplitTask> task;
  double timeout_s;                 ///< the longest of the points' that want it; 0: none
  std::vector<std::size_t> points;  ///< that want it
  std::shared_ptr<const SplitReport> report = {};
  ChildOutcome::Kind kind = ChildOutcome::Kind::done;
  std::string sentence = {};
};

/// Those that differ, in the order in which points have them; with the reports that a store has, where one is given.
std::vector<WantedSplit> wanted_splits(const Experiment& experiment, BatchStore* store) {
  std::vector<WantedSplit> wanted;
  std::map<std::string, std::size_t> places;
  for (std::size_t p = 0; p < experiment.points.size(); ++p) {
    const Point& point = experiment.points[p];
    const auto* open = point.as<OpenSplit>();
    if (open == nullptr) continue;
    const double timeout_s = point.plan.timeout_s;
    const auto [known, is_new] = places.try_emplace(split_key(*open->task), wanted.size());
    if (is_new) wanted.push_back({known->first, open->task, timeout_s, {}});
    WantedSplit& split = wanted[known->second];
    split.timeout_s = split.timeout_s > 0 && timeout_s > 0 ? std::max(split.timeout_s, timeout_s) : 0;
    split.points.push_back(p);
  }
  for (auto& split : wanted)
    if (auto kept = store != nullptr ? store->find_split(split.key) : std::nullopt)
      split.report = std::make_shared<const SplitReport>(std::move(*kept));
  return wanted;
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

/// Points whose split is still to be found stay as they are.
void settle(Experiment& experiment, const std::vector<WantedSplit>& wanted) {
  for (const auto& split : wanted)
    for (const std::size_t p : split.points) {
      Point& point = experiment.points[p];
      if (split.report)
        point.state = with_split(*point.as<OpenSplit>(), point.plan, split.report);
      else if (split.kind == ChildOutcome::Kind::infeasible)
        point.state = InfeasiblePoint{split.sentence};
      else if (!split.sentence.empty())
        point.state = FailedPoint{split.sentence};
    }
}

/// Finds those that are not known.
void find_all(std::vector<WantedSplit>& wanted, BatchStore* store, const RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<TaskWorkers::Task> tasks;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (!wanted[k].report) tasks.push_back({{k}, wanted[k].timeout_s});
  SplitProgress progress;
  progress.wanted = tasks.size();
  progress.recalled = wanted.size() - tasks.size();
  const auto answered = [&](std::size_t t, const std::optional<WorkerAnswer>& answer) {
    WantedSplit& split = wanted[tasks[t].task.number];
    ++progress.found;
    split.kind = answer ? answer->kind : ChildOutcome::Kind::run_error;
    if (!answer) {  // it costs its points
      split.sentence = "its split could not be found: the search took longer than " + short_number(split.timeout_s) +
                       " s (run.timeout)";
    } else if (answer->kind == ChildOutcome::Kind::done) {
      split.report = std::make_shared<const SplitReport>(unpack_split_report(std::string(answer->text)));
      if (store != nullptr) {
        store->keep_split(split.key, *split.report);
        store->commit();
      }
    } else {
      split.sentence = "its split could not be found: " + std::string(answer->text);
    }
  };
  TaskWorkers([&](const WorkerTask& task) { return pack(find_split(*wanted[task.number].task)); }, context.jobs)
      .finish(tasks, answered, [&] {
        context.end_if_interrupted();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        progress.seconds = passed.count();
        context.on_progress(progress);
      });
}

constexpr const char* kFirst = " to be found first, by simulation";

}  // namespace

PendingSearches pending_searches(const Experiment& experiment) {
  PendingSearches open;
  open.splits = open_splits(experiment).size();
  open.sizes = experiment.open_sizes();
  const SizeTask* first = nullptr;
  bool is_same = true;
  for (const auto& point : experiment.points) {
    const auto* sought = point.as<OpenSize>();
    if (sought == nullptr) continue;
    if (first == nullptr) first = sought->task.get();
    is_same = is_same && sought->task->goal_text() == first->goal_text();
    open.trials = std::max(open.trials, most_trials(*sought->task));
  }
  if (first != nullptr)  // key and metric are the same for all points
    open.sought = first->key + " where " + (is_same ? first->goal_text() : first->metric->name + " has a given value");
  return open;
}

std::string PendingSearches::splits_text() const { return splits > 0 ? std::to_string(splits) + kFirst : ""; }

std::string PendingSearches::sizes_text() const {
  if (sizes == 0) return "";
  return std::to_string(sizes) + kFirst + ", each by at most " + std::to_string(trials) + " trials: " + sought;
}

std::vector<std::shared_ptr<const SplitTask>> open_splits(const Experiment& experiment) {
  std::vector<std::shared_ptr<const SplitTask>> tasks;
  for (const auto& split : wanted_splits(experiment, nullptr)) tasks.push_back(split.task);
  return tasks;
}

Experiment resolve_splits(Experiment experiment, BatchStore* store, const RunContext& context) {
  if (!experiment.has_open_splits()) return experiment;
  auto wanted = wanted_splits(experiment, store);
  find_all(wanted, store, context);
  settle(experiment, wanted);
  return experiment;
}

Experiment recall_splits(Experiment experiment, BatchStore& store) {
  settle(experiment, wanted_splits(experiment, &store));
  return experiment;
}

std::string split_key(const SplitTask& task) {
  Scenario scenario = *task.scenario;
  if (!task.is_partial) scenario.share_flop.clear();  // which follow
  return ScenarioKeys().key(scenario, engine_name(task.engine)) + " " + task.identity();
}

Experiment prepare(Experiment described, BatchStore* store, const RunContext& context) {
  Experiment experiment = resolve_splits(without_costly_points(std::move(described), context.most_s), store, context);
  experiment.remarks.clear();  // they are about the description
  return without_costly_points(solve_sizes(std::move(experiment), store, context), context.most_s);
}

}  // namespace nowsim
