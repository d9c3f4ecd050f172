// Handing a loop out to nobody.
#include "workloads/farm/chunk_count.hpp"

#include <vector>

namespace nowsim {
namespace {

/// Tasks of 1 s in the mean.
ChunkReport report_of(std::int64_t tasks, double cv) {
  const auto n = static_cast<double>(tasks);
  return {tasks, n, (n - 1) * cv * cv};
}

}  // namespace

double about_chunks(const Technique& technique, const TechniqueParameters& parameters, std::int64_t tasks, int workers) {
  constexpr std::int64_t kMostChunks = 100'000;
  const std::vector<double> alike(static_cast<std::size_t>(workers), 1.0);
  LoopState state(tasks, alike, parameters);
  std::int64_t chunk = 1;
  while (state.remaining > 0 && state.chunks < kMostChunks) {
    const std::size_t worker = static_cast<std::size_t>(state.chunks) % alike.size();
    chunk = next_chunk(technique, state, worker);
    if (technique.learns != Technique::Learns::nothing) state.records.add(worker, report_of(chunk, parameters.cv));
  }
  return static_cast<double>(state.chunks) + static_cast<double>(state.remaining) / static_cast<double>(chunk);
}

}  // namespace nowsim
