// Asking, computing, and asking again with the results.
#include "workloads/farm/farm_client.hpp"

#include <any>
#include <utility>

namespace nowsim {
namespace {

/// Task by task; the squares of their times' deviations by Welford's recurrence (Technometrics 4(3), 1962).
Process compute_each(Rank& self, const FarmChunk& chunk, ChunkReport& report) {
  double mean_s = 0;
  for (const double flop : chunk.each_flop) {
    const double begin_s = self.now();
    co_await self.compute(flop);
    const double time_s = self.now() - begin_s, difference = time_s - mean_s;
    report.tasks += 1;
    report.time_s += time_s;
    mean_s += difference / static_cast<double>(report.tasks);
    report.squares_s2 += difference * (time_s - mean_s);
  }
}

Process compute_together(Rank& self, const FarmChunk& chunk, ChunkReport& report) {
  const double begin_s = self.now();
  co_await self.compute(chunk.flop);
  report.tasks = chunk.tasks;
  report.time_s = self.now() - begin_s;
}

}  // namespace

Process compute_chunk(Rank& self, const FarmChunk& chunk, FarmResults& done) {
  done = {chunk.number, {}};
  return chunk.each_flop.empty() ? compute_together(self, chunk, done.report) : compute_each(self, chunk, done.report);
}

double results_bytes(const FarmParameters& farm, const FarmChunk& chunk) {
  return farm.request_bytes + farm.result_bytes * static_cast<double>(chunk.tasks);
}

Process farm_client(Rank& self, const FarmParameters& farm) {
  FarmResults done;
  std::any results;
  double bytes = farm.request_bytes;
  for (;;) {
    co_await self.send(0, bytes, std::move(results));
    self.keep_work();
    const Message answer = co_await self.receive(0);
    const auto* chunk = std::any_cast<FarmChunk>(&answer.content);
    if (chunk == nullptr) co_return;
    co_await compute_chunk(self, *chunk, done);
    results = done;
    bytes = results_bytes(farm, *chunk);
  }
}

}  // namespace nowsim
