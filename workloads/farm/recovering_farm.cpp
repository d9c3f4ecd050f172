// Messages of a farm that recovers. The server's machine stays on; a client's may go off at any time.
#include "workloads/farm/recovering_farm.hpp"

#include <algorithm>
#include <any>
#include <deque>
#include <optional>
#include <utility>

#include "workloads/farm/chunk_ledger.hpp"
#include "workloads/farm/farm_client.hpp"

namespace nowsim {
namespace {

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
  if (due_s < kForever) request = co_await self.receive_any(std::max(0.0, due_s - self.now()));
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

}  // namespace

Process recovering_server(Rank& self, const FarmParameters& farm) {
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

Process recovering_client(Rank& self, const FarmParameters& farm) {
  FarmResults done;
  std::any results;
  double bytes = farm.request_bytes;
  for (;;) {
    Message answer;
    bool has_failed = false;
    try {
      co_await self.send(0, bytes, results);
      self.keep_work();
      results.reset();
      bytes = farm.request_bytes;
      answer = co_await self.receive(0);
    } catch (const CommunicationFailed&) {
      has_failed = true;
    }
    if (has_failed) {  // with the network, since the server stays on
      co_await self.sleep_until(self.now() + farm.timeout_s);
      continue;
    }
    const auto* chunk = std::any_cast<FarmChunk>(&answer.content);
    if (chunk == nullptr) co_return;
    co_await compute_chunk(self, *chunk, done);
    results = done;
    bytes = results_bytes(farm, *chunk);
  }
}

}  // namespace nowsim
