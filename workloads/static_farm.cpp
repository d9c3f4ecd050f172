// Parts in whole tasks, one message each way.
#include "workloads/static_farm.hpp"

#include <any>
#include <utility>
#include <vector>

#include "workloads/chunk_source.hpp"
#include "workloads/farm_client.hpp"
#include "workloads/rank_index.hpp"
#include "workloads/whole_parts.hpp"

namespace nowsim {
namespace {

/// Of clients, the first one's first.
std::vector<std::int64_t> parts_of(const Rank& self, const FarmParameters& farm) {
  return whole_parts(farm.costs.tasks(), self.shares().subspan(1));
}

Process deal_and_collect(Rank& self, const FarmParameters& farm) {
  const TaskCosts costs = farm.costs.costs(self.common_random());
  std::int64_t first = 0, dealt = 0;
  const std::vector<std::int64_t> parts = parts_of(self, farm);
  for (int client = 1; client < self.count(); ++client) {
    const std::int64_t tasks = parts[index_of(client - 1)];
    if (tasks == 0) continue;
    if (farm.overhead_s > 0) co_await self.compute(farm.overhead_s * self.host().speed_flops);
    FarmChunk chunk = make_chunk(costs, dealt++, first, tasks);
    const double bytes = bytes_of(farm, chunk);
    co_await self.send(client, bytes, std::move(chunk));
    first += tasks;
  }
  for (; dealt > 0; --dealt) co_await self.receive_any();
}

Process do_part(Rank& self, const FarmParameters& farm) {
  if (parts_of(self, farm)[index_of(self.index() - 1)] == 0) co_return;
  const Message message = co_await self.receive(0);
  const auto& chunk = std::any_cast<const FarmChunk&>(message.content);
  const ChunkReport report = co_await compute_chunk(self, chunk);
  const double bytes = farm.request_bytes + farm.result_bytes * static_cast<double>(chunk.tasks);
  co_await self.send(0, bytes, FarmResults{chunk.number, report});
}

}  // namespace

Process static_farm(Rank& self, const FarmParameters& farm) {
  return self.index() == 0 ? deal_and_collect(self, farm) : do_part(self, farm);
}

}  // namespace nowsim
