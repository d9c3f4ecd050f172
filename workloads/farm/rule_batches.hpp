// Chunks by a rule of the user's, in batches of which another one says how large they are.
#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// The next chunk. Rules have tasks(state, worker): at least 1. Without a rule of batches (null) there are none; else a
/// batch begins where the last one is used up, and no chunk goes beyond it.
template <class Rule>
std::int64_t next_by_rules(const Rule& chunk, const Rule* batch, LoopState& s, std::size_t worker) {
  if (batch == nullptr) return chunk.tasks(s, worker);
  if (s.batch_left == 0) {
    const std::int64_t tasks = batch->tasks(s, worker);
    s.batch_tasks = static_cast<double>(tasks);
    s.batch_left = std::min(tasks, s.remaining);
    ++s.batches;
  }
  const std::int64_t tasks = std::min(chunk.tasks(s, worker), s.batch_left);
  s.batch_left -= tasks;
  return tasks;
}

}  // namespace nowsim
