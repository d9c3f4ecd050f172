// Replications that are all alike once, others in blocks of lanes.
#include "sim/engines/direct/superstep_batch.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/engines/direct/superstep_lanes.hpp"
#include "sim/engines/direct/supersteps_on_dedicated.hpp"

namespace nowsim {
namespace {

/// About so many lanes are under way at a time: each superstep passes over all of them several times.
constexpr std::size_t kSuperstepLanes = 384;

}  // namespace

std::uint64_t SuperstepBatch::run(const Batch& batch) {
  try {
    return are_alike() ? run_alike(batch) : run_blocks(batch);
  } catch (const std::invalid_argument&) {
    return 0;  // all replications have the same steps, so the first has met it
  }
}

std::uint64_t SuperstepBatch::run_blocks(const Batch& batch) {
  const std::size_t slots = std::max<std::size_t>(1, kSuperstepLanes / scenario_.size());
  const std::size_t most = std::min<std::size_t>(slots, batch.count);
  SuperstepLanes lanes(scenario_, own_paths_, most, width_);
  for (std::uint64_t done = 0, count = 0; done < batch.count; done += count) {
    count = std::min<std::uint64_t>(most, batch.count - done);
    if (!lanes.run(batch.first + done, count)) return done;
    if (done == 0) lanes.write_common(result_);
    for (std::size_t slot = 0; slot < count; ++slot) {
      lanes.write(slot, result_);
      sink_(result_);
    }
    counts.task_steps = lanes.task_steps();
  }
  return batch.count;
}

/// Without owners nothing is drawn.
bool SuperstepBatch::are_alike() const {
  return std::ranges::all_of(scenario_.owners, &OwnerModel::is_dedicated) &&
         (own_paths_.empty() || std::ranges::all_of(scenario_.bandwidth, &OwnerModel::is_dedicated));
}

std::uint64_t SuperstepBatch::run_alike(const Batch& batch) {
  if (scenario_.workload->program().supersteps->broadcast_tree() && scenario_.size() > 1) {
    run_on_dedicated(scenario_, result_);
  } else {
    SuperstepLanes lanes(scenario_, own_paths_, 1, width_);
    if (!lanes.run(batch.first, 1)) return 0;
    lanes.write_common(result_);
    lanes.write(0, result_);
  }
  for (std::uint64_t k = 0; k < batch.count; ++k) {
    result_.replication = batch.first + k;
    sink_(result_);
  }
  return batch.count;
}

}  // namespace nowsim
