// One request after another.
#include "workloads/farm/farm_server.hpp"

#include <any>
#include <optional>
#include <utility>

#include "workloads/farm/chunk_source.hpp"

namespace nowsim {

Process farm_server(Rank& self, const FarmParameters& farm) {
  ChunkSource source(self, farm);
  for (int clients = self.count() - 1; clients > 0;) {
    const Message request = co_await self.receive_any();
    if (const auto* results = std::any_cast<FarmResults>(&request.content))
      source.learn(request.from, results->report);
    std::optional<FarmChunk> chunk = source.next(request.from);
    if (!chunk) {
      co_await self.send(request.from, farm.request_bytes);
      --clients;
      continue;
    }
    co_await spend_overhead(self, farm);
    const double bytes = bytes_of(farm, *chunk);
    co_await self.send(request.from, bytes, std::move(*chunk));
  }
}

}  // namespace nowsim
