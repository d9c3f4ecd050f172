// One shard of a sweep: its batches of a round simulated and published, and nothing else touched.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/shards/piece.hpp"
#include "experiments/driver/shards/round.hpp"

namespace nowsim {

/// Which shard of how many, from 1, and how it publishes.
struct ShardOrder {
  std::string experiment;  ///< its name
  std::size_t shard = 1, shards = 1;
  double publish_every_s = kPublishEvery_s;
};

/// What a shard came to.
struct ShardOutcome {
  int round = 0;
  std::uint64_t batches = 0, there = 0;  ///< simulated now; published by earlier attempts of it
  std::uint64_t failures = 0;            ///< batches that could not be completed: the sweep that takes in tries them again
};

/// Runs what is left of a shard. The experiment has no open splits or sizes. What is complete is published however it
/// ends, short of a kill. @throws Interrupted; InputError where the sweep was begun with something else (check_identity);
/// RunError where nothing can be published.
ShardOutcome run_shard(const ShardFolder& folder, const ShardOrder& order, const Experiment& experiment,
                       const RunContext& context);

/// Of a text such as 3/64. @throws InputError, a sentence.
std::pair<std::size_t, std::size_t> parse_shard(const std::string& text);

}  // namespace nowsim
