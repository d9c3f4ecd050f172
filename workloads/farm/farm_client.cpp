// Asking, computing, and asking again with the results.
#include "workloads/farm/farm_client.hpp"

#include <any>
#include <utility>

#include "sim/program/operation_notes.hpp"
#include "workloads/farm/farm_messages.hpp"

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

/// `done` says then which chunk, and how long it took.
Process compute_chunk(Rank& self, const FarmChunk& chunk, FarmResults& done) {
  done = {chunk.number, {}};
  return chunk.each_flop.empty() ? compute_together(self, chunk, done.report) : compute_each(self, chunk, done.report);
}

/// The size of the message with a chunk's results: the request's and the results'.
double results_bytes(const FarmParameters& farm, const FarmChunk& chunk) {
  return farm.request_bytes + farm.result_bytes * static_cast<double>(chunk.tasks);
}

Process ask_for_chunks(Rank& self, const FarmParameters& farm) {
  FarmResults done;
  bool has_results = false;  // that the server has not got yet
  double bytes = farm.request_bytes;
  for (;;) {
    Message answer;
    bool has_failed = false;
    std::any results;
    if (has_results) results = done;
    const double asked_s = self.now();
    try {
      co_await self.send(0, bytes, std::move(results));
      self.keep_work();
      has_results = false;
      bytes = farm.request_bytes;
      answer = co_await self.receive(0);
    } catch (const CommunicationFailed&) {
      if (!farm.recovers()) throw;
      has_failed = true;
    }
    if (has_failed) {  // with the network, since the server stays on
      co_await self.sleep_until(self.now() + farm.timeout_s);
      continue;
    }
    const auto* chunk = std::any_cast<FarmChunk>(&answer.content);
    if (chunk == nullptr) co_return;
    co_await compute_chunk(self, *chunk, done);
    done.report.whole_s = self.now() - asked_s;
    has_results = true;
    bytes = results_bytes(farm, *chunk);
  }
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

Process farm_client(Rank& self, const FarmParameters& farm) {
  return farm.is_static() && !farm.recovers() ? do_part(self, farm) : ask_for_chunks(self, farm);
}

}  // namespace nowsim
