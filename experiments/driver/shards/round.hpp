// A round of a sweep in shards: batches that are known beforehand, and which of them a shard simulates.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/batch_workers.hpp"
#include "experiments/driver/shards/piece.hpp"
#include "experiments/driver/shards/shard_folder.hpp"

namespace nowsim {

/// Batches of a series, from one index up to another.
struct RoundRange {
  std::size_t series = 0;
  std::uint64_t begin = 0, end = 0;
};

/// Without stopping rules there is one round, of all batches. With them a round has as many as the rules want at least,
/// or half as many more as there are; who is done after it is known when all of it is.
struct Round {
  int number = 0;
  std::vector<RoundRange> ranges;  ///< in the order of the series
};

/// What an execution plan's results depend on, as a text: the same on every machine that has the same description, data
/// and version of the model.
std::string plan_hash(const ExecutionPlan& execution);

/// The round that a sweep begins with.
Round first_round(const ExecutionPlan& execution);
/// A round of what is missing of a store, where series lack batches from these indices on (RunOptions::lacking); without
/// ranges where nothing is.
Round next_round(int number, const ExecutionPlan& execution, const std::vector<StoredScenario>& stored,
                 const std::vector<std::uint64_t>& lacking);
/// How many batches it has, each of a scenario once.
std::uint64_t batches_in(const Round& round, const ExecutionPlan& execution);
/// How long they take on one core, by shipped costs [s].
double seconds_in(const Round& round, const ExecutionPlan& execution);

/// A round's batches that are a shard's, from 1 to `shards`: each goes to one shard, and shards have about the same to
/// do, by shipped costs, which every machine has alike. Those of a series follow one another.
std::vector<BatchTask> tasks_of(const Round& round, const ExecutionPlan& execution, std::size_t shard, std::size_t shards);

/// Publishes a round of an experiment, or finds that it is published already.
void publish_round(const ShardFolder& folder, const std::string& experiment, const Round& round,
                   const ExecutionPlan& execution);
/// All rounds of a plan, by files alone: the latest one's number, and every batch of theirs once.
struct PublishedRounds {
  int latest = 0;
  std::set<PublishedBatch> batches;
  std::vector<std::string> remarks;  ///< sentences: rounds that are damaged, and not counted
};
std::optional<PublishedRounds> published_rounds(const ShardFolder& folder, const std::string& experiment, const std::string& plan);
/// The latest round of an experiment that is published for this execution plan; nothing where there is none.
/// @throws InputError where it is damaged.
std::optional<Round> latest_round(const ShardFolder& folder, const std::string& experiment, const ExecutionPlan& execution);

}  // namespace nowsim
