// What all shards of a sweep have to agree on before one of them begins: plan, data and program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/shards/shard_folder.hpp"

namespace nowsim {

/// Of one process.
struct SweepIdentity {
  std::string plan;     ///< plan_hash()
  std::string program;  ///< program_hash()
  std::string version;  ///< the program's
  std::string host;     ///< where it was begun
  std::vector<std::pair<std::string, std::string>> files;  ///< what the experiment was read from: path, checksum
};
SweepIdentity identity_of(const Experiment& experiment, const ExecutionPlan& execution);

/// For a shard: compares with the identity that is published for an experiment, or publishes this one where there is
/// none yet. @throws InputError that says what differs: program, description or data.
void check_identity(const ShardFolder& folder, const std::string& experiment, const SweepIdentity& identity);
/// For a sweep without shards, which may have been changed: from now on shards are to agree with this one. Returns a
/// sentence about what was in its place where that is no file of nowsim's, and was set aside; else "".
[[nodiscard]] std::string publish_identity(const ShardFolder& folder, const std::string& experiment, const SweepIdentity& identity);
/// The experiments of a folder, and their plans; `remarks` gets sentences about what is damaged.
std::vector<std::pair<std::string, std::string>> sweeps_in(const ShardFolder& folder,
                                                           std::vector<std::string>& remarks);

}  // namespace nowsim
