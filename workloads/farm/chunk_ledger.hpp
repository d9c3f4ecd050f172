// Which chunks a farm's clients have, which are overdue or came back, and which are done: every task once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "workloads/farm/chunk_source.hpp"

namespace nowsim {

/// The books of a server whose clients may fail. Times count from the start [s].
class ChunkLedger {
 public:
  /// The parts of a static split are their clients' from the start, handed out when they ask.
  ChunkLedger(const Rank& server, const FarmParameters& farm);

  /// A chunk for a client, if there is any: its own part of a static split, what has come back, or a new one. Until
  /// handed() or came_back() it is nobody's.
  std::optional<FarmChunk> take(int client);
  /// Whether take() would find one for a client.
  [[nodiscard]] bool has_chunk_for(int client);
  /// The client has the chunk that was taken for it.
  void handed(int client, const FarmChunk& chunk, double now_s);
  /// The chunk that was taken has not reached its client: it is for whoever asks, a part of a static split too.
  void came_back(const FarmChunk& chunk) { again_.push_front(chunk.number); }
  /// A client asks for a chunk, with the results of its last one or without. Results of what is done already are
  /// ignored; who asks without them while it has a chunk has forgotten it, since its machine was switched off.
  void asks(int client, const FarmResults* results);

  /// When the next chunk is overdue; infinity where none is out.
  [[nodiscard]] double next_due_s();
  /// What is overdue until then is handed out again, even if it is done yet by who has it. To be called when all who
  /// have asked have been heard.
  void expire(double until_s);
  [[nodiscard]] bool all_done() const { return tasks_done_ == tasks_; }

 private:
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
  static constexpr std::int64_t kNone = -1;

  void reserve_parts(const Rank& server);
  void hold(int client, const FarmChunk& chunk, double now_s, bool is_reserved);
  void count(int client, const FarmResults& results);
  [[nodiscard]] bool has_come_back();
  Held& held_by(int client) { return held_[static_cast<std::size_t>(client)]; }
  [[nodiscard]] const FarmChunk& chunk(std::int64_t number) const { return chunks_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] bool is_done(std::int64_t number) const { return done_[static_cast<std::size_t>(number)]; }

  const FarmParameters& farm_;
  ChunkSource source_;
  std::int64_t tasks_, tasks_done_ = 0;
  std::vector<FarmChunk> chunks_;   // by number
  std::vector<bool> done_;          // likewise
  std::vector<Held> held_;          // by rank
  std::deque<std::int64_t> again_;  // to be handed out again, some of them done meanwhile
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;  // some of them settled meanwhile
  std::uint64_t handings_ = 0;
};

}  // namespace nowsim
