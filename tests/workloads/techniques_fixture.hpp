// The built-in techniques, as tests name them, and the chunks that a loop's workers get.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim::test {

inline const Registry<Technique>& techniques() {
  static const Registry<Technique> all = builtin_techniques();
  return all;
}

inline const Technique& technique(const std::string& name) {
  const Technique* found = techniques().find(name);
  REQUIRE(found != nullptr);
  return *found;
}

/// Its place among the words of `technique`.
inline double position_of(const std::string& name) {
  const auto words = words_in(techniques());
  return static_cast<double>(std::ranges::find(words, name) - words.begin());
}

using Chunks = std::vector<std::int64_t>;

/// Workers ask in turn.
inline Chunks chunks_in_turn(const Technique& technique, LoopState state) {
  Chunks all;
  while (state.remaining > 0) all.push_back(next_chunk(technique, state, all.size() % state.records.size()));
  return all;
}

/// Workers ask when their chunks are done, the first of those who are done at once first; messages take no time.
/// report(worker, first, tasks) is what a worker reports of a chunk.
template <class Report>
Chunks chunks_in_time(const Technique& technique, LoopState state, const Report& report) {
  using Event = std::pair<double, std::size_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> asking;
  std::vector<ChunkReport> reports(state.records.size());
  for (std::size_t i = 0; i < reports.size(); ++i) asking.emplace(0, i);
  Chunks all;
  while (state.remaining > 0) {
    const auto [now_s, worker] = asking.top();
    asking.pop();
    state.now_s = now_s;
    if (reports[worker].tasks > 0) state.records.add(worker, reports[worker]);
    const std::int64_t first = state.tasks - state.remaining;
    all.push_back(next_chunk(technique, state, worker));
    reports[worker] = report(worker, first, all.back());
    asking.emplace(now_s + reports[worker].time_s, worker);
  }
  return all;
}

}  // namespace nowsim::test
