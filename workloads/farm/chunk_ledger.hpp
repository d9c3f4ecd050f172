// Where a farm's server gets the next chunk from, and what it sends; which chunks its clients have, which are overdue or
// came back, and which are done: every task once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// Consecutive tasks for a client. A message without one tells the end.
struct FarmChunk {
  std::int64_t number = 0;  ///< of the chunk, as it was made
  std::int64_t first = 0;   ///< of its tasks, counted from 0
  std::int64_t tasks = 0;
  double flop = 0;                ///< of all together
  std::vector<double> each_flop;  ///< of each, where the technique wants to know how much their times vary
};

/// The results of a chunk. A client that asks for its first one sends none.
struct FarmResults {
  std::int64_t number = 0;  ///< of the chunk
  ChunkReport report;
};

/// Cuts one replication's tasks into chunks. Clients are ranks from 1 on.
class ChunkSource {
 public:
  /// The server, whose streams the costs are drawn from, and the farm; both outlive it.
  ChunkSource(const Rank& server, const FarmParameters& farm);
  /// The next one for a client; none when there are no more tasks.
  std::optional<FarmChunk> next(int client);
  [[nodiscard]] bool has_more() const { return technique_.next && state_.remaining > 0; }
  /// What a client has measured.
  void learn(int client, const ChunkReport& report);
  [[nodiscard]] const TaskCosts& costs() const { return costs_; }

 private:
  const Rank& server_;
  const Technique& technique_;
  TaskCosts costs_;
  LoopState state_;
};

/// The parts of a static split, one per client in the order of ranks, in proportion to the shares; some without tasks.
/// Those with tasks are numbered from 0.
std::vector<FarmChunk> static_parts(const Rank& server, const FarmParameters& farm, const TaskCosts& costs);

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
