// Reproducing several experiments in turn, into stores below one folder, and the page about them all.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reports/report.hpp"
#include "sim/base/infinity.hpp"
#include "tools/commands/reproduce_targets.hpp"
#include "tools/running/store_session.hpp"

namespace nowsim {

/// How a reproduction is to be done.
struct ReproduceOrder {
  std::string out;  ///< the folder for results
  int jobs = 1;
  bool quiet = false;
  bool goes_on = false;                                     ///< an experiment that fails costs only itself
  bool has_page = false;                                    ///< a page about all of it is written at the end
  double most_s = kInfinity;  ///< of one core, for a point
  double publish_every_s = kPublishEvery_s;  ///< by a shard
  LoadOptions options;
};

/// What came of it.
struct ReproduceResult {
  std::vector<ClaimResult> claims;
  bool is_whole = true;  ///< nothing failed
};

/// Reads all experiments, runs them one after the other, and says on the error stream how far it is and what was made.
/// @throws Interrupted, and then no page is written; what loading and running throw, but for what an experiment alone
/// cannot do where the order says to go on. If none of them can be read that is thrown all the same.
ReproduceResult reproduce_all(const std::vector<Target>& targets, const ReproduceOrder& order,
                              Session& session);

/// Simulates and publishes a shard's batches of every experiment; no figure is made of them. Throws as run_shard() does.
void reproduce_shard(const std::vector<Target>& targets, const ReproduceOrder& order, Session& session, std::size_t shard,
                     std::size_t shards);
/// missing_work() of every experiment, together.
MissingWork missing_works(const std::vector<Target>& targets, const ReproduceOrder& order, Session& session);

}  // namespace nowsim
