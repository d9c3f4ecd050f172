// What commands do with a sweep in shards: a shard, taking in, the next round.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/shards/merged_store.hpp"
#include "experiments/driver/shards/shard_run.hpp"
#include "sim/base/infinity.hpp"
#include "tools/flags.hpp"

namespace nowsim {

class ProgressLine;

/// A sweep, and how it is to be run.
struct ShardedSweep {
  Experiment described;
  std::string name;
  std::string out;
  int jobs = 1;
  bool quiet = false;
  double publish_every_s = kPublishEvery_s;
  double most_s = kInfinity;  ///< of one core: points that would take longer are left out
};

/// --shard, --next-round and --publish-every, of a command that publishes in `folder`.
void add_shard_flags(Flags& flags, const std::string& folder);
/// What these say.
struct ShardRequest {
  std::optional<std::pair<std::size_t, std::size_t>> shard;  ///< which, of how many
  bool is_next_round = false;
  double publish_every_s = kPublishEvery_s;
};
/// @throws InputError.
ShardRequest shard_request(const GivenFlags& flags);

/// Runs a shard and tells what it came to; the exit status.
int run_shard_and_tell(const ShardedSweep& sweep, std::size_t shard, std::size_t shards);

/// Takes in what is published, finds splits and sizes, and publishes the round of what is missing, for shards. Nothing
/// else is simulated.
struct NextRound {
  std::uint64_t batches = 0;  ///< 0: nothing is missing
  double seconds = 0;         ///< that they take on one core, roughly
};
NextRound publish_next_round(const ShardedSweep& sweep);
/// The same, told; the exit status.
int tell_next_round(const ShardedSweep& sweep);
/// "the next round has 12 batches".
std::string told_next_round(const NextRound& next);

}  // namespace nowsim
