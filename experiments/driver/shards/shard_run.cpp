// Handing a shard's batches to workers, and publishing what they come to.
#include "experiments/driver/shards/shard_run.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "experiments/driver/shards/sweep_identity.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

/// What earlier attempts of a shard have published, of whatever round.
std::set<PublishedBatch> published_by(const ShardFolder& folder, const ShardOrder& order) {
  const std::string who = "-" + std::to_string(order.shard) + "of" + std::to_string(order.shards) + kPieceEnding;
  std::set<PublishedBatch> there;
  for (const auto& name : folder.names(who)) {
    try {
      auto bytes = folder.whole(name);
      if (!bytes) continue;
      Piece piece(std::move(*bytes), (folder.path() / name).string());
      for (const auto& range : piece.batches()) there.insert(range);
    } catch (const std::runtime_error&) {  // damaged: simulated again, and told by the sweep that takes in
    }
  }
  return there;
}

class ShardRun {
 public:
  ShardRun(const ExecutionPlan& execution, std::deque<BatchTask> tasks, PieceWriter& writer, const RunContext& context)
      : execution_(execution), tasks_(std::move(tasks)), writer_(writer), context_(context),
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
    workers_.collect(std::min(0.5, writer_.publish_if_due()), [](std::size_t) { return false; },
                     [this](const BatchAnswer& answer) { settle(answer); });
    context_.on_progress(progress_);
    for (const auto& task : workers_.take_back()) tasks_.push_back(task);
    return true;
  }

  void settle(const BatchAnswer& answer) {
    const ScenarioRow& row = row_of(answer.task.series);
    if (!answer.statistics) {
      ++outcome_.failures;
      return writer_.note_failure(row, answer.task.batch, answer.failure);
    }
    writer_.keep(row, batch_row(answer.task.batch, answer.statistics->makespan_s, answer.packed, answer.seconds));
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

ShardOutcome run_shard(const ShardFolder& folder, const ShardOrder& order, const Experiment& experiment,
                       const RunContext& context) {
  const ExecutionPlan execution = plan_execution(experiment);
  check_identity(folder, order.experiment, identity_of(experiment, execution));
  const auto published = latest_round(folder, order.experiment, execution);
  const Round round = published.value_or(first_round(execution));
  if (!published) publish_round(folder, order.experiment, round, execution);
  const auto there = published_by(folder, order);
  std::deque<BatchTask> tasks;
  std::uint64_t skipped = 0;
  for (const auto& task : tasks_of(round, execution, order.shard, order.shards))
    if (there.contains({execution.series[task.series].key, task.batch.first, task.batch.count})) ++skipped;
    else tasks.push_back(task);
  PieceWriter writer(folder, this_attempt(order.experiment, order.shard, order.shards, round.number), order.publish_every_s);
  ShardOutcome outcome = ShardRun(execution, std::move(tasks), writer, context).finish();
  outcome.round = round.number;
  outcome.there = skipped;
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
    throw InputError("--shard " + text + ": wanted is I/N, such as 3/64: which one, from 1, of how many (at most a million)");
  return {shard, shards};
}

}  // namespace nowsim
