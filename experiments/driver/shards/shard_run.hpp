// One shard of a sweep: its batches, simulated and published, and nothing else touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/batch_workers.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/shards/piece.hpp"
#include "experiments/driver/shards/shard_folder.hpp"

namespace nowsim {

/// The batches of which is known before anything runs that they are needed, each of a scenario once: all of a series,
/// or as many as its stopping rule wants at least. The sweep that takes in does the rest.
std::vector<BatchTask> known_batches(const ExecutionPlan& execution);
/// Those of them that are a shard's, from 1 to `shards`: each is one shard's, and shards have about the same to do, by
/// shipped costs, which every machine has alike. Those of a series follow one another.
std::vector<BatchTask> batches_of_shard(const ExecutionPlan& execution, std::size_t shard, std::size_t shards);
/// How long batches take on one core, by shipped costs [s].
double seconds_of(const std::vector<BatchTask>& tasks, const ExecutionPlan& execution);
/// Those that a store does not have, by what it has of their series (BatchStore::find_scenarios()).
std::vector<BatchTask> missing_batches(std::vector<BatchTask> tasks, const std::vector<StoredScenario>& stored);

/// Which shard of how many, from 1, and how it publishes.
struct ShardOrder {
  std::string experiment;  ///< its name
  std::size_t shard = 1, shards = 1;
  double publish_every_s = kPublishEvery_s;
};

/// What a shard came to.
struct ShardOutcome {
  std::uint64_t batches = 0, there = 0;  ///< simulated now; in the store or published before
  std::uint64_t failures = 0;  ///< batches that could not be completed: the sweep that takes in tries them again
};

/// Runs what is left of a shard. The experiment has no open splits or sizes; `store`: what the folder's store had
/// (StoreCopy). What is complete is published however it ends, short of a kill. @throws Interrupted; RunError where
/// nothing can be published.
ShardOutcome run_shard(const ShardFolder& folder, BatchStore& store, const ShardOrder& order,
                       const Experiment& experiment, const RunContext& context);

/// Of a text such as 3/64. @throws InputError, a sentence.
std::pair<std::size_t, std::size_t> parse_shard(const std::string& text);

}  // namespace nowsim
