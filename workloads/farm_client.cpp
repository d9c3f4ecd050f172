// Asking, computing, and asking again with the results.
#include "workloads/farm_client.hpp"

#include <any>
#include <utility>

#include "sim/statistics.hpp"

namespace nowsim {
namespace {

/// Task by task.
Task<ChunkReport> compute_each(Rank& self, const FarmChunk& chunk) {
  Moments times_s;
  for (const double flop : chunk.each_flop) {
    const double begin_s = self.now();
    co_await self.compute(flop);
    times_s.add(self.now() - begin_s);
  }
  const auto tasks = static_cast<std::int64_t>(times_s.count());
  co_return ChunkReport{tasks, times_s.mean() * static_cast<double>(tasks), times_s.central(2) * static_cast<double>(tasks)};
}

}  // namespace

Task<ChunkReport> compute_chunk(Rank& self, const FarmChunk& chunk) {
  if (!chunk.each_flop.empty()) {
    const auto report = co_await compute_each(self, chunk);
    co_return report;
  }
  const double begin_s = self.now();
  co_await self.compute(chunk.flop);
  co_return ChunkReport{chunk.tasks, self.now() - begin_s, 0};
}

Process farm_client(Rank& self, const FarmParameters& farm) {
  std::any results;
  double bytes = farm.request_bytes;
  for (;;) {
    co_await self.send(0, bytes, std::move(results));
    self.keep_work();
    const Message answer = co_await self.receive(0);
    const auto* chunk = std::any_cast<FarmChunk>(&answer.content);
    if (chunk == nullptr) co_return;
    const ChunkReport report = co_await compute_chunk(self, *chunk);
    results = FarmResults{chunk->number, report};
    bytes = farm.request_bytes + farm.result_bytes * static_cast<double>(chunk->tasks);
  }
}

}  // namespace nowsim
