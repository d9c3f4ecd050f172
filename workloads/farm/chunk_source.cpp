#include "workloads/farm/chunk_source.hpp"

#include <span>

#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

std::vector<double> speeds_of_clients(const Rank& rank, int first) {
  std::vector<double> speeds;
  for (const Workstation& host : rank.hosts().subspan(index_of(first))) speeds.push_back(host.speed_flops);
  return speeds;
}

}  // namespace

ChunkSource::ChunkSource(const Rank& rank, const FarmParameters& farm)
    : first_client_(farm.first_client()), technique_(*farm.technique), costs_(farm.costs.costs(rank.common_random())),
      state_(farm.costs.tasks(), rank.shares().subspan(index_of(first_client_)), farm.for_technique,
             speeds_of_clients(rank, first_client_)) {}

std::optional<FarmChunk> ChunkSource::next(int client, double now_s) {
  const std::int64_t first = state_.tasks - state_.remaining, number = state_.chunks;
  state_.now_s = now_s;
  const std::int64_t tasks = next_chunk(technique_, state_, worker_of(client));
  if (tasks == 0) return std::nullopt;
  FarmChunk chunk{number, tasks, costs_.flop(first, tasks), {}};
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

std::vector<FarmChunk> static_parts(const Rank& rank, const FarmParameters& farm, const TaskCosts& costs) {
  std::vector<FarmChunk> parts;
  std::int64_t first = 0, number = 0;
  for (const std::int64_t tasks : whole_parts(farm.costs.tasks(), rank.shares().subspan(index_of(farm.first_client())))) {
    parts.push_back({number, tasks, costs.flop(first, tasks), {}});
    first += tasks;
    number += tasks > 0 ? 1 : 0;
  }
  return parts;
}

}  // namespace nowsim
