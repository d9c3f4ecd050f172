// Computing a chunk, together or task by task; fetching chunks from a server that is none of the job's machines.
#include "workloads/farm/farm_client.hpp"

#include <algorithm>
#include <any>
#include <memory>
#include <optional>
#include <utility>

#include "workloads/farm/chunk_source.hpp"

namespace nowsim {
namespace {

/// Task by task; the squares of their times' deviations by Welford's recurrence (Technometrics 4(3), 1962).
Process compute_each(Rank& self, const FarmChunk& chunk, ChunkReport& report) {
  double mean_s = 0;
  for (const double flop : chunk.each_flop) {
    const double begin_s = self.now();
    note_next(self, {Meant::itself, chunk.number, chunk.tasks});
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
  note_next(self, {Meant::itself, chunk.number, chunk.tasks});
  co_await self.compute(chunk.flop);
  report.tasks = chunk.tasks;
  report.time_s = self.now() - begin_s;
}

Process compute_itself(Rank& self, const FarmChunk& chunk, ChunkReport& report) {
  return chunk.each_flop.empty() ? compute_together(self, chunk, report) : compute_each(self, chunk, report);
}

Process begin_and_compute(Rank& self, double start_s, const FarmChunk& chunk, ChunkReport& report) {
  note_next(self, {Meant::spawn, chunk.number, chunk.tasks});
  co_await self.sleep_until(self.now() + start_s);
  co_await compute_itself(self, chunk, report);
}

}  // namespace

Process compute_chunk(Rank& self, const FarmParameters& farm, const FarmChunk& chunk, FarmResults& done) {
  done = {chunk.number, {}};
  return farm.start_s > 0 ? begin_and_compute(self, farm.start_s, chunk, done.report)
                          : compute_itself(self, chunk, done.report);
}

namespace {

/// What the server has at the desk.
struct ServerDesk {
  ChunkSource source;
  double free_s = 0;  ///< when it is through with all chunks so far
};

/// Whoever comes first opens it.
ServerDesk& desk_of(std::any& kept, const Rank& self, const FarmParameters& farm) {
  if (!kept.has_value()) kept = std::make_shared<ServerDesk>(ServerDesk{ChunkSource(self, farm)});
  return **std::any_cast<std::shared_ptr<ServerDesk>>(&kept);
}

/// Its part of a static split, once.
std::optional<FarmChunk> part_of(const Rank& self, const FarmParameters& farm, const TaskCosts& costs, bool has_been_here) {
  if (has_been_here) return std::nullopt;
  FarmChunk part = static_parts(self, farm, costs)[index_of(self.index())];
  return part.tasks > 0 ? std::optional(std::move(part)) : std::nullopt;
}

}  // namespace

Process fetch_chunks(Rank& self, const FarmParameters& farm) {
  std::optional<FarmResults> done;
  for (;;) {
    ServerDesk& server = desk_of(co_await self.turn(), self, farm);
    const double asked_s = self.now();
    if (done && !farm.is_static()) server.source.learn(self.index(), done->report);
    const auto chunk = farm.is_static() ? part_of(self, farm, server.source.costs(), done.has_value())
                                        : server.source.next(self.index(), asked_s);
    if (!chunk) co_return;
    server.free_s = std::max(server.free_s, asked_s) + farm.overhead_s;
    co_await self.sleep_until(server.free_s);
    co_await compute_chunk(self, farm, *chunk, done.emplace());
    done->report.whole_s = self.now() - asked_s;
  }
}

}  // namespace nowsim
