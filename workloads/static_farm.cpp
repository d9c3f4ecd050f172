// Parts in whole tasks, one message each way.
#include "workloads/static_farm.hpp"

#include <any>
#include <utility>

#include "workloads/chunk_source.hpp"
#include "workloads/farm_client.hpp"
#include "workloads/rank_index.hpp"
#include "workloads/whole_parts.hpp"

namespace nowsim {
namespace {

Process deal_and_collect(Rank& self, const FarmParameters& farm) {
  int dealt = 0, client = 0;
  for (FarmChunk& part : static_parts(self, farm)) {
    ++client;
    if (part.tasks == 0) continue;
    if (farm.overhead_s > 0) co_await self.compute(farm.overhead_s * self.host().speed_flops);
    const double bytes = bytes_of(farm, part);
    co_await self.send(client, bytes, std::move(part));
    ++dealt;
  }
  for (; dealt > 0; --dealt) co_await self.receive_any();
}

Process do_part(Rank& self, const FarmParameters& farm) {
  if (whole_parts(farm.costs.tasks(), self.shares().subspan(1))[index_of(self.index() - 1)] == 0) co_return;
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
