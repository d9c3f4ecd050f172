// Consecutive tasks, as many as the technique says.
#include "workloads/chunk_source.hpp"

namespace nowsim {
namespace {

std::size_t worker_of(int client) { return static_cast<std::size_t>(client) - 1; }

}  // namespace

ChunkSource::ChunkSource(const Rank& server, const FarmParameters& farm)
    : technique_(*farm.technique), costs_(farm.costs.costs(server.common_random())),
      state_(farm.costs.tasks(), server.shares().subspan(1), farm.for_technique) {}

std::optional<FarmChunk> ChunkSource::next(int client) {
  const std::int64_t first = state_.tasks - state_.remaining, number = state_.chunks;
  const std::int64_t tasks = next_chunk(technique_, state_, worker_of(client));
  if (tasks == 0) return std::nullopt;
  FarmChunk chunk = make_chunk(costs_, number, first, tasks);
  if (technique_.learns == Technique::Learns::task_times)
    for (std::int64_t i = 0; i < tasks; ++i) chunk.each_flop.push_back(costs_.flop(first + i, 1));
  return chunk;
}

void ChunkSource::learn(int client, const ChunkReport& report) {
  if (technique_.learns != Technique::Learns::nothing) state_.records[worker_of(client)].add(report);
}

FarmChunk make_chunk(const TaskCosts& costs, std::int64_t number, std::int64_t first, std::int64_t tasks) {
  return {number, first, tasks, costs.flop(first, tasks), {}};
}

double bytes_of(const FarmParameters& farm, const FarmChunk& chunk) {
  return farm.request_bytes + farm.input_bytes * static_cast<double>(chunk.tasks);
}

}  // namespace nowsim
