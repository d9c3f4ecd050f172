// What the commands share that run into a store, whole or one shard of it: flags, interruption, and what they say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/shards/session.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "sim/base/infinity.hpp"
#include "tools/line/command.hpp"

namespace nowsim {

/// "1 batch", "2 batches".
std::string counted(std::uint64_t n, const std::string& what);

/// Refuses what cannot be meant before a store is made for it; where there is one, or shards, it may be done already.
/// @throws what long_run_remark() throws (run_bounds.hpp).
void refuse_before_store(const Experiment& described, const std::string& folder, int jobs);

/// Does `work` and returns its exit status. @throws Stopped (parting.hpp) on Ctrl-C: the same command goes on, where the
/// folder is there by then; `but` is said behind of what is kept.
int run_into_store(const std::string& folder, const std::function<int()>& work, const std::string& but = "");

/// Says on the error stream what was taken in, unless quiet, and what could not be.
void report_taken_in(Session& session, const StoreSession& stored, bool quiet);

/// Says on the error stream what came of an experiment: "fig05: 45 points, 25 complete, ..." unless quiet, and which
/// points failed and why, the first of them if there are many. `folder` is where `nowsim show` finds them all.
void report_outcome(Session& session, const SweepOutcome& outcome, const std::string& name, const std::string& folder, bool quiet);

/// Says where a user's version of a file has gone, if there was one.
void report_kept(Session& session, const WrittenFile& file);

// ---- shards

/// --shard and --publish-every, of a command that publishes in `folder`.
void add_shard_flags(Flags& flags, const std::string& folder);
/// What these say.
struct ShardRequest {
  std::optional<std::pair<std::size_t, std::size_t>> shard;  ///< which, of how many
  double publish_every_s = kPublishEvery_s;
};
/// @throws InputError.
ShardRequest shard_request(const Arguments& arguments);
/// The same of a command whose --out says `folder`. @throws UsageError too, where shards have none ("").
ShardRequest shard_request(const Arguments& arguments, const std::string& folder);

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
/// Runs a shard and tells what it came to; the exit status.
int run_shard_and_tell(Session& session, const ShardedSweep& sweep, std::size_t shard, std::size_t shards);

/// What shards would have to do.
struct MissingWork {
  std::uint64_t batches = 0;  ///< 0: nothing is missing
  double seconds = 0;         ///< that they take on one core, roughly
};
/// Takes in what is published, and finds splits and sizes, for shards to have them; nothing else is simulated.
MissingWork missing_work(Session& session, const ShardedSweep& sweep);

}  // namespace nowsim
