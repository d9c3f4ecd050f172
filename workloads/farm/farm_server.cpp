// One request after another; in a farm that recovers with books of which chunks clients have, which are overdue or came
// back, and which are done: every task once.
#include "workloads/farm/farm_server.hpp"

#include <algorithm>
#include <any>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <stdexcept>
#include <utility>

#include "sim/base/infinity.hpp"
#include "workloads/farm/chunk_source.hpp"

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
    if (std::optional<FarmChunk> chunk = source.next(request.from, self.now())) {
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

/// The books of a server whose clients may fail. Times count from the start [s].
class ChunkLedger {
 public:
  /// The parts of a static split are their clients' from the start, handed out when they ask.
  ChunkLedger(const Rank& server, const FarmParameters& farm)
      : farm_(farm), server_(server), source_(server, farm), tasks_(farm.costs.tasks()), held_(index_of(server.count())) {
    if (!farm.is_static()) return;
    int client = 0;
    for (FarmChunk& part : static_parts(server, farm, source_.costs())) {
      ++client;
      if (part.tasks == 0) continue;
      hold(client, part, 0, true);
      note_made(part);
    }
  }

  /// A chunk for a client, if there is any: its own part of a static split, what has come back, or a new one. Until
  /// hold() or came_back() it is nobody's.
  std::optional<FarmChunk> take(int client) {
    if (Held& held = held_by(client); held.is_reserved) return chunk(std::exchange(held, {}).number);
    if (has_come_back()) {
      const std::int64_t number = again_.front();
      again_.pop_front();
      return chunk(number);
    }
    if (!source_.has_more()) return std::nullopt;
    auto made = source_.next(client, server_.now());
    note_made(*made);
    return made;
  }
  /// Whether take() would find one for a client.
  [[nodiscard]] bool has_chunk_for(int client) {
    return held_by(client).is_reserved || has_come_back() || source_.has_more();
  }
  /// The client has the chunk that was taken for it, or may ask for it as its part of a static split.
  void hold(int client, const FarmChunk& chunk, double now_s, bool is_reserved = false) {
    held_by(client) = {chunk.number, ++handings_, false, is_reserved};
    const double patience_s = farm_.timeout_s + static_cast<double>(chunk.tasks) * farm_.timeout_per_task_s;
    due_.push({now_s + patience_s, client, handings_});
  }
  /// The chunk that was taken has not reached its client: it is for whoever asks, a part of a static split too.
  void came_back(const FarmChunk& chunk) { again_.push_front(chunk.number); }
  /// A client asks for a chunk, with the results of its last one or without. Results of what is done already are
  /// ignored; who asks without them while it has a chunk has forgotten it, since its machine was switched off.
  void asks(int client, const FarmResults* results) {
    if (results != nullptr && !is_done(results->number)) {
      done_[static_cast<std::size_t>(results->number)] = true;
      tasks_done_ += chunk(results->number).tasks;
      if (tasks_done_ > tasks_) throw std::logic_error("a farm has counted more tasks than it has");
      source_.learn(client, results->report);
    }
    Held& held = held_by(client);
    if (held.is_reserved) return;
    if (held.number != kNone && !held.is_late && !is_done(held.number)) again_.push_back(held.number);
    held = {};
  }

  /// When the next chunk is overdue; infinity where none is out.
  [[nodiscard]] double next_due_s() {
    const auto is_settled = [this](const Due& due) {
      const Held& held = held_by(due.client);
      return held.handing != due.handing || held.is_late || is_done(held.number);
    };
    while (!due_.empty() && is_settled(due_.top())) due_.pop();
    return due_.empty() ? kInfinity : due_.top().date_s;
  }
  /// What is overdue until then is handed out again, even if it is done yet by who has it. To be called when all who
  /// have asked have been heard.
  void expire(double until_s) {
    while (next_due_s() <= until_s) {
      Held& held = held_by(due_.top().client);
      again_.push_back(held.number);
      held.is_late = true;
      held.is_reserved = false;
      due_.pop();
    }
  }
  [[nodiscard]] bool all_done() const { return tasks_done_ == tasks_; }

 private:
  static constexpr std::int64_t kNone = -1;
  /// What a client has.
  struct Held {
    std::int64_t number = kNone;  ///< of the chunk
    std::uint64_t handing = 0;    ///< which of all handings out it was
    bool is_late = false;         ///< handed out again
    bool is_reserved = false;     ///< a part of a static split that has not been asked for yet
  };
  struct Due {
    double date_s;
    int client;
    std::uint64_t handing;
    bool operator>(const Due& o) const { return date_s > o.date_s || (date_s == o.date_s && client > o.client); }
  };

  void note_made(const FarmChunk& chunk) {
    chunks_.push_back(chunk);
    done_.push_back(false);
  }
  [[nodiscard]] bool has_come_back() {
    while (!again_.empty() && is_done(again_.front())) again_.pop_front();
    return !again_.empty();
  }
  Held& held_by(int client) { return held_[index_of(client)]; }
  [[nodiscard]] const FarmChunk& chunk(std::int64_t number) const { return chunks_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] bool is_done(std::int64_t number) const { return done_[static_cast<std::size_t>(number)]; }

  const FarmParameters& farm_;
  const Rank& server_;
  ChunkSource source_;
  std::int64_t tasks_, tasks_done_ = 0;
  std::vector<FarmChunk> chunks_;   // by number
  std::vector<bool> done_;          // likewise
  std::vector<Held> held_;          // by rank
  std::deque<std::int64_t> again_;  // to be handed out again, some of them done meanwhile
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;  // some of them settled meanwhile
  std::uint64_t handings_ = 0;
};

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
  const FarmChunk chunk = *desk.ledger.take(client);
  co_await spend_overhead(self, farm);
  const bool is_delivered = co_await tell(self, client, bytes_of(farm, chunk), chunk);
  if (is_delivered) desk.ledger.hold(client, chunk, self.now());
  else desk.ledger.came_back(chunk);
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

/// When all tasks are done, who waits is told. For others the job ends with the server.
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
  for (const int client : desk.waiting) co_await tell(self, client, farm.request_bytes, {});
}

}  // namespace

Process farm_server(Rank& self, const FarmParameters& farm) {
  if (farm.recovers()) return serve_and_recover(self, farm);
  return farm.is_static() ? deal_and_collect(self, farm) : serve_on_request(self, farm);
}

}  // namespace nowsim
