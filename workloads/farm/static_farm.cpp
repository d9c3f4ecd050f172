// Parts in whole tasks, one message each way.
#include "workloads/farm/static_farm.hpp"

#include <any>
#include <utility>

#include "workloads/farm/chunk_source.hpp"
#include "workloads/farm/farm_client.hpp"
#include "workloads/parts/rank_index.hpp"

namespace nowsim {
namespace {

/// Who has a share may still have no task, and is told so.
Process deal_and_collect(Rank& self, const FarmParameters& farm) {
  int dealt = 0, client = 0;
  for (FarmChunk& part : static_parts(self, farm, farm.costs.costs(self.common_random()))) {
    ++client;
    if (part.tasks > 0) {
      co_await spend_overhead(self, farm);
      const double bytes = bytes_of(farm, part);
      co_await self.send(client, bytes, std::move(part));
      ++dealt;
    } else if (self.shares()[index_of(client)] > 0) {
      co_await self.send(client, farm.request_bytes);
    }
  }
  for (; dealt > 0; --dealt) co_await self.receive_any();
}

Process do_part(Rank& self, const FarmParameters& farm) {
  if (!(self.share() > 0)) co_return;
  const Message message = co_await self.receive(0);
  const auto* chunk = std::any_cast<FarmChunk>(&message.content);
  if (chunk == nullptr) co_return;
  FarmResults done;
  co_await compute_chunk(self, *chunk, done);
  const double bytes = results_bytes(farm, *chunk);
  co_await self.send(0, bytes, done);
}

}  // namespace

Process static_farm(Rank& self, const FarmParameters& farm) {
  return self.index() == 0 ? deal_and_collect(self, farm) : do_part(self, farm);
}

}  // namespace nowsim
