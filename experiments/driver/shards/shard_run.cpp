#include "experiments/driver/shards/shard_run.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "experiments/driver/points/point.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

std::uint64_t in_batches(const Series& series, std::uint64_t replications) {
  const std::uint64_t size = batch_size(*series.scenario);
  return std::min(batches_of(series), (replications + size - 1) / size);
}

std::uint64_t first_batches(const Series& series) {
  if (series.cell) return in_batches(series, kFirstReplications);
  if (series.plan.precision > 0) return in_batches(series, series.plan.least);
  return batches_of(series);
}

/// Seconds per replication of each series that has a task.
std::vector<double> costs_s(const std::vector<BatchTask>& tasks, const ExecutionPlan& execution) {
  std::vector<double> costs(execution.series.size(), 0);
  for (const auto& task : tasks) {
    const Series& series = execution.series[task.series];
    if (double& cost = costs[task.series]; cost == 0) {
      constexpr std::uint64_t kReplications = 100;
      cost = std::max(estimated_cost_s(*series.scenario, series.engine, kReplications) / kReplications, 1e-12);
    }
  }
  return costs;
}

/// Of tasks: what they come to, as a text that is the same on every machine that has the same description, data and
/// version of the model.
std::string hash_of(const std::vector<BatchTask>& tasks, const ExecutionPlan& execution) {
  std::string all;
  for (const auto& task : tasks)
    all += execution.series[task.series].key + " " + std::to_string(task.batch.first) + " " +
           std::to_string(task.batch.count) + "\n";
  return sha256(all);
}

/// What is published and not yet taken in.
std::set<PublishedBatch> published_in(const ShardFolder& folder) {
  std::set<PublishedBatch> there;
  for (const auto& name : folder.names(kPieceEnding)) {
    try {
      const auto head = head_of(folder, name);
      if (!head) continue;
      for (const auto& batch : head->batches) there.insert(head->published(batch));
    } catch (const std::runtime_error&) {  // damaged: simulated again, and told by the sweep that takes in
    }
  }
  return there;
}

class ShardRun {
 public:
  ShardRun(const ExecutionPlan& execution, std::deque<BatchTask> tasks, PieceWriter& writer, const RunContext& context)
      : execution_(execution),
        tasks_(std::move(tasks)),
        writer_(writer),
        context_(context),
        workers_(execution, static_cast<std::size_t>(std::max(1, context.jobs)), true) {
    progress_.points = execution.points.size();
    for (const auto& task : tasks_) progress_.replications_expected += task.batch.count;
  }

  ShardOutcome finish() {
    try {
      while (step()) {
      }
    } catch (const Interrupted&) {
      writer_.publish();
      throw;
    }
    writer_.publish();
    return outcome_;
  }

 private:
  bool step() {
    context_.end_if_interrupted();
    while (!tasks_.empty() && workers_.has_room(tasks_.size())) {
      workers_.give(tasks_.front());
      tasks_.pop_front();
    }
    if (workers_.is_idle()) return false;
    workers_.collect(
        std::min(0.5, writer_.publish_if_due()), [](std::size_t) { return false; },
        [this](const BatchAnswer& answer) { settle(answer); });
    context_.on_progress(progress_);
    for (const auto& task : workers_.take_back()) tasks_.push_back(task);
    return true;
  }

  void settle(const BatchAnswer& answer) {
    if (!answer.statistics) {
      ++outcome_.failures;
      return writer_.note_failure();
    }
    writer_.keep(row_of(answer.task.series),
                 batch_row(answer.task.batch, answer.statistics->makespan_s, answer.packed, answer.seconds));
    ++outcome_.batches;
    ++progress_.batches_done;
    progress_.replications_done += answer.task.batch.count;
  }

  const ScenarioRow& row_of(std::size_t series) {
    auto [known, is_new] = rows_.try_emplace(series);
    if (is_new) known->second = scenario_row(execution_.series[series]);
    return known->second;
  }

  const ExecutionPlan& execution_;
  std::map<std::size_t, ScenarioRow> rows_;  // of series that have come
  std::deque<BatchTask> tasks_;
  PieceWriter& writer_;
  const RunContext& context_;
  BatchWorkers workers_;
  Progress progress_;
  ShardOutcome outcome_;
};

}  // namespace

std::vector<BatchTask> known_batches(const ExecutionPlan& execution) {
  std::vector<BatchTask> tasks;
  std::set<std::tuple<std::string_view, std::uint64_t, std::uint64_t>> there;
  for (std::size_t s = 0; s < execution.series.size(); ++s)
    for (std::uint64_t index = 0; index < first_batches(execution.series[s]); ++index) {
      const Batch batch = batch_of(execution.series[s], index);
      if (there.emplace(execution.series[s].key, batch.first, batch.count).second) tasks.push_back({s, index, batch});
    }
  return tasks;
}

double seconds_of(const std::vector<BatchTask>& tasks, const ExecutionPlan& execution) {
  const auto costs = costs_s(tasks, execution);
  double sum_s = 0;
  for (const auto& task : tasks) sum_s += costs[task.series] * static_cast<double>(task.batch.count);
  return sum_s;
}

/// The longest first, each to the shard that has least to do: within one batch of even.
std::vector<BatchTask> batches_of_shard(const ExecutionPlan& execution, std::size_t shard, std::size_t shards) {
  std::vector<BatchTask> tasks = known_batches(execution);
  const auto costs = costs_s(tasks, execution);
  const auto cost = [&](const BatchTask& task) { return costs[task.series] * static_cast<double>(task.batch.count); };
  std::ranges::stable_sort(tasks, std::ranges::greater{}, cost);
  using Load = std::pair<double, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t i = 1; i <= shards; ++i) loads.emplace(0.0, i);
  std::vector<BatchTask> mine;
  for (const auto& task : tasks) {
    const auto [load, to] = loads.top();
    loads.pop();
    loads.emplace(load + cost(task), to);
    if (to == shard) mine.push_back(task);
  }
  std::ranges::sort(mine, {}, [](const BatchTask& task) { return std::pair(task.series, task.index); });
  return mine;
}

std::vector<BatchTask> missing_batches(std::vector<BatchTask> tasks, const std::vector<StoredScenario>& stored) {
  std::erase_if(tasks, [&](const BatchTask& task) { return stored[task.series].has(task.batch); });
  return tasks;
}

ShardOutcome run_shard(const ShardFolder& folder, BatchStore& store, const ShardOrder& order,
                       const Experiment& experiment, const RunContext& context) {
  const ExecutionPlan execution = plan_execution(experiment);
  const auto stored = store.find_scenarios(execution);
  const auto all = known_batches(execution), mine = batches_of_shard(execution, order.shard, order.shards);
  Attempt attempt = this_attempt(order.experiment, order.shard, order.shards);
  attempt.plan = hash_of(all, execution);
  attempt.wanted = missing_batches(all, stored).size();
  const auto published = published_in(folder);
  std::deque<BatchTask> tasks;
  for (const auto& task : missing_batches(mine, stored))
    if (!published.contains({execution.series[task.series].key, task.batch.first, task.batch.count}))
      tasks.push_back(task);
  const std::size_t there = mine.size() - tasks.size();
  PieceWriter writer(folder, std::move(attempt), order.publish_every_s);
  ShardOutcome outcome = ShardRun(execution, std::move(tasks), writer, context).finish();
  outcome.there = there;
  return outcome;
}

std::pair<std::size_t, std::size_t> parse_shard(const std::string& text) {
  std::size_t shard = 0, shards = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard);
  const bool has_slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = has_slash ? std::from_chars(first.ptr + 1, end, shards) : first;
  constexpr std::size_t kMost = 1'000'000;
  if (!has_slash || second.ec != std::errc() || second.ptr != end || shard < 1 || shard > shards || shards > kMost)
    throw InputError("--shard " + text +
                     ": wanted is I/N, such as 3/64: which one, from 1, of how many (at most a million)");
  return {shard, shards};
}

}  // namespace nowsim
