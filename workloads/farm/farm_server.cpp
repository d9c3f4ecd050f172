// One request after another; in a farm that recovers with books of who has what (chunk_ledger.hpp).
#include "workloads/farm/task_farm.hpp"

#include <algorithm>
#include <any>
#include <deque>
#include <optional>
#include <utility>

#include "workloads/farm/chunk_ledger.hpp"

namespace nowsim {
namespace {

/// What a chunk costs the server before it is sent.
Process spend_overhead(Rank& server, const FarmParameters& farm) {
  if (farm.overhead_s > 0) co_await server.compute(farm.overhead_s * server.host().speed_flops);
}

/// The message's size: the request's and the inputs'.
double bytes_of(const FarmParameters& farm, const FarmChunk& chunk) {
  return farm.request_bytes + farm.input_bytes * static_cast<double>(chunk.tasks);
}

Process send_chunk(Rank& self, const FarmParameters& farm, int client, FarmChunk chunk) {
  co_await spend_overhead(self, farm);
  const double bytes = bytes_of(farm, chunk);
  co_await self.send(client, bytes, std::move(chunk));
}

// ---- nobody fails ------------------------------------------------------------------------------------------------

Process serve_on_request(Rank& self, const FarmParameters& farm) {
  ChunkSource source(self, farm);
  for (int clients = self.count() - 1; clients > 0;) {
    const Message request = co_await self.receive_any();
    if (const auto* results = std::any_cast<FarmResults>(&request.content))
      source.learn(request.from, results->report);
    if (std::optional<FarmChunk> chunk = source.next(request.from)) {
      co_await send_chunk(self, farm, request.from, std::move(*chunk));
      continue;
    }
    co_await self.send(request.from, farm.request_bytes);
    --clients;
  }
}

/// Who has a share may still have no task, and is told so.
Process deal_and_collect(Rank& self, const FarmParameters& farm) {
  int dealt = 0, client = 0;
  for (FarmChunk& part : static_parts(self, farm, farm.costs.costs(self.common_random()))) {
    ++client;
    if (part.tasks > 0) {
      co_await send_chunk(self, farm, client, std::move(part));
      ++dealt;
    } else if (self.shares()[index_of(client)] > 0) {
      co_await self.send(client, farm.request_bytes);
    }
  }
  for (; dealt > 0; --dealt) co_await self.receive_any();
}

// ---- clients' machines may go off at any time; the server's stays on ---------------------------------------------

/// A client that is on waits for the answer from the moment at which the server has its request: one that does not take
/// the answer at once is off, or began anew and asks again.
constexpr double kPatience_s = 0;

/// @return whether the client has it
Task<bool> tell(Rank& self, int client, double bytes, std::any content) {
  try {
    const bool is_delivered = co_await self.send_within(kPatience_s, client, bytes, std::move(content));
    co_return is_delivered;
  } catch (const CommunicationFailed&) {
    co_return false;
  }
}

Process hand_out(Rank& self, const FarmParameters& farm, ChunkLedger& ledger, int client) {
  const FarmChunk chunk = *ledger.take(client);
  co_await spend_overhead(self, farm);
  const bool is_delivered = co_await tell(self, client, bytes_of(farm, chunk), chunk);
  if (is_delivered) ledger.handed(client, chunk, self.now());
  else ledger.came_back(chunk);
}

/// What a farm's server keeps in mind.
struct Desk {
  ChunkLedger ledger;
  std::deque<int> waiting;  ///< clients that have asked, the first that asked first
};

/// The first that waits and for which there is a chunk gets it. @return whether there was one
Task<bool> serve(Rank& self, const FarmParameters& farm, Desk& desk) {
  auto& waiting = desk.waiting;
  const auto next = std::ranges::find_if(waiting, [&](int client) { return desk.ledger.has_chunk_for(client); });
  if (next == waiting.end()) co_return false;
  const int client = *next;
  waiting.erase(next);
  co_await hand_out(self, farm, desk.ledger, client);
  co_return true;
}

/// Waits for the next request, or until a chunk is overdue. Who has asked already is heard first, since it may have the
/// results of what seems overdue, or want its part of a static split: a server that is busy for long hears nobody.
/// @throws CommunicationFailed when it fails with its sender.
Process hear(Rank& self, Desk& desk) {
  const double due_s = desk.ledger.next_due_s();
  std::optional<Message> request;
  if (due_s < kInfinity) request = co_await self.receive_any(std::max(0.0, due_s - self.now()));
  else request = co_await self.receive_any();
  if (!request) {
    desk.ledger.expire(due_s);
    co_return;
  }
  desk.ledger.asks(request->from, std::any_cast<FarmResults>(&request->content));
  std::erase(desk.waiting, request->from);
  desk.waiting.push_back(request->from);
}

/// All tasks are done: who waits is told. For others the job ends with the server.
Process tell_end(Rank& self, const FarmParameters& farm, const std::deque<int>& waiting) {
  for (const int client : waiting) co_await tell(self, client, farm.request_bytes, {});
}

Process serve_and_recover(Rank& self, const FarmParameters& farm) {
  Desk desk{ChunkLedger(self, farm), {}};
  while (!desk.ledger.all_done()) {
    const bool is_served = co_await serve(self, farm, desk);
    if (is_served) continue;
    try {
      co_await hear(self, desk);
    } catch (const CommunicationFailed&) {  // who asked has to ask again
    }
  }
  co_await tell_end(self, farm, desk.waiting);
}

}  // namespace

Process farm_server(Rank& self, const FarmParameters& farm) {
  if (farm.recovers()) return serve_and_recover(self, farm);
  return farm.is_static() ? deal_and_collect(self, farm) : serve_on_request(self, farm);
}

}  // namespace nowsim
