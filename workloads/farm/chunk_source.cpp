// Consecutive tasks, as many as the technique says.
#include "workloads/farm/chunk_source.hpp"

#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

std::size_t worker_of(int client) { return static_cast<std::size_t>(client) - 1; }

std::vector<double> speeds_of_clients(const Rank& server) {
  std::vector<double> speeds;
  for (const Workstation& host : server.hosts().subspan(1)) speeds.push_back(host.speed_flops);
  return speeds;
}

}  // namespace

ChunkSource::ChunkSource(const Rank& server, const FarmParameters& farm)
    : server_(server), technique_(*farm.technique), costs_(farm.costs.costs(server.common_random())),
      state_(farm.costs.tasks(), server.shares().subspan(1), farm.for_technique, speeds_of_clients(server)) {}

std::optional<FarmChunk> ChunkSource::next(int client) {
  const std::int64_t first = state_.tasks - state_.remaining, number = state_.chunks;
  state_.now_s = server_.now();
  const std::int64_t tasks = next_chunk(technique_, state_, worker_of(client));
  if (tasks == 0) return std::nullopt;
  FarmChunk chunk{number, first, tasks, costs_.flop(first, tasks), {}};
  if (technique_.learns == Technique::Learns::task_times)
    for (std::int64_t i = 0; i < tasks; ++i) chunk.each_flop.push_back(costs_.flop(first + i, 1));
  return chunk;
}

void ChunkSource::learn(int client, const ChunkReport& report) {
  if (technique_.learns == Technique::Learns::nothing) return;
  ChunkReport counted = report;
  if (technique_.learns == Technique::Learns::whole_times) counted.time_s = report.whole_s;
  state_.records.add(worker_of(client), counted);
}

std::vector<FarmChunk> static_parts(const Rank& server, const FarmParameters& farm, const TaskCosts& costs) {
  std::vector<FarmChunk> parts;
  std::int64_t first = 0, number = 0;
  for (const std::int64_t tasks : whole_parts(farm.costs.tasks(), server.shares().subspan(1))) {
    parts.push_back({number, first, tasks, costs.flop(first, tasks), {}});
    first += tasks;
    number += tasks > 0 ? 1 : 0;
  }
  return parts;
}

}  // namespace nowsim
