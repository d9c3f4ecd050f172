// What a parallel program is written against: its place in the job, and the operations it can await on either engine;
// and what it says of its next operation to who watches, on which no result depends.
#pragma once

#include <any>
#include <cstdint>
#include <span>
#include <utility>

#include "sim/platform/platform.hpp"
#include "sim/program/process.hpp"
#include "sim/program/rank_operations.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// Ranks are counted in int, as messages name them; vectors with one element per rank are indexed with this.
inline std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

/// One task of the parallel job, on one workstation. Operations that take simulated time are awaited:
/// `co_await self.compute(1e9)`. A rank waits for one operation at a time.
class Rank : public RankOperations {
 public:
  /// This rank's number, 0 .. count() - 1; rank i runs on workstation i of the scenario.
  using RankOperations::index;
  /// Simulated time since the replication began [s].
  using RankOperations::now;
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const Workstation& host() const { return *host_; }
  /// Those of all ranks, where each has one of its own (ProgramDescription::placement).
  [[nodiscard]] std::span<const Workstation> hosts() const { return {host_ - index(), index_of(count_)}; }
  /// The work that the splitting policy gave this rank, X_i [flop].
  [[nodiscard]] double share() const { return shares_flop_[static_cast<std::size_t>(index())]; }
  /// Those of all ranks, X_1 .. X_count [flop].
  [[nodiscard]] std::span<const double> shares() const { return shares_flop_; }
  /// The rank's stream for a purpose, from its beginning: keep the object, a second call gives the same numbers again.
  [[nodiscard]] Stream random(Purpose purpose = Purpose::workload) const {
    return streams_.stream(static_cast<std::uint64_t>(index()), purpose);
  }
  /// A stream that all ranks share (each gets its own copy).
  [[nodiscard]] Stream common_random(Purpose purpose = Purpose::workload) const {
    return streams_.stream(kAllWorkstations, purpose);
  }

  static constexpr int kAnyRank = -1;

  /// Computes `flop` floating-point operations on one core of the workstation, at what its owner leaves.
  /// All operations: @throws std::invalid_argument for a negative or NaN amount or a rank that does not exist.
  auto compute(double flop) { return Awaitable<Compute>({{*this}, flop}); }
  /// Waits until the given time since the start [s]; one in the past returns at once.
  auto sleep_until(double date_s) { return Awaitable<Sleep>({{*this}, date_s}); }
  /// Waits until all ranks have called it as often; `cost_s` [s] later all go on. All ranks give the same cost.
  auto barrier(double cost_s = 0) { return Awaitable<Barrier>({{*this}, cost_s}); }
  /// Moves bytes over the workstation's own path, the platform's route from the workstation to itself, alone on it:
  /// a declared loopback, or in a star-shaped network the workstation's own link. Whole bytes; rounded.
  auto transfer(double bytes) { return Awaitable<Transfer>({*this, bytes}); }
  /// A rendezvous: the transfer starts when the receiver is ready too, and both return at its end. Whole bytes.
  auto send(int to, double bytes, std::any content = {}) {
    return Awaitable<Send>({*this, to, bytes, std::move(content), false});
  }
  /// A send that gives up (false) when the receiver has not become ready within timeout_s [s]: the offer is withdrawn. A
  /// transfer that has started within that time is always completed.
  auto send_within(double timeout_s, int to, double bytes, std::any content = {}) {
    return Awaitable<SendFor>({*this, to, bytes, std::move(content), timeout_s});
  }
  /// Buffers: returns at once; the message travels by itself and waits at the receiver.
  auto isend(int to, double bytes, std::any content = {}) {
    return Awaitable<Send>({*this, to, bytes, std::move(content), true});
  }
  /// The next message from a rank, in the order sent.
  auto receive(int from) { return Awaitable<Receive>({*this, from}); }
  /// A receive that gives up (std::nullopt) when no message has come within timeout_s [s]. A rendezvous transfer that has
  /// started within that time is always completed.
  auto receive(int from, double timeout_s) { return Awaitable<ReceiveFor>({*this, from, timeout_s}); }
  /// The message that is there first: a buffered one when it arrives, a rendezvous when it is offered. Those that come
  /// within a relative 1e-9 of time are taken in the order of their senders' index.
  auto receive_any() { return Awaitable<Receive>({*this, kAnyRank}); }
  auto receive_any(double timeout_s) { return Awaitable<ReceiveFor>({*this, kAnyRank, timeout_s}); }

  // Messages with tags (Posting) are matched apart from those above: a receive takes the first message of its sender
  // and tag that was posted; a message goes to the first receive that would take it. Not on machines that switch off.

  /// Posts a message; the request is kNoRequest where its sender is through with it at once.
  auto post_send(int to, int tag, double bytes, SendMode mode) {
    return Awaitable<Post>({*this, {true, mode, to, tag, bytes}});
  }
  auto post_receive(int from, int tag) { return Awaitable<Post>({*this, {false, {}, from, tag}}); }
  /// Posts it, and waits until it is over.
  auto send_tagged(int to, int tag, double bytes, SendMode mode) {
    return Awaitable<Exchange>({*this, {true, mode, to, tag, bytes}});
  }
  auto receive_tagged(int from, int tag) { return Awaitable<Exchange>({*this, {false, {}, from, tag}}); }
  /// Waits until a request is over, which is free then. Who watches is shown what it is for.
  auto finish(RequestId request, const Awaited& shown = {Activity::receive}) {
    return Awaitable<Finish>({*this, request, shown});
  }
  /// Waits until one of several is over: the first that is.
  auto finish_any(std::span<const RequestId> requests) { return Awaitable<FinishAny>({*this, requests}); }
  /// What a request has come to, which is free then; nothing where it is not over.
  auto test(RequestId request) { return Awaitable<Test>({*this, request}); }

  /// Waits for its turn at a desk that is on no machine, and gives what the program keeps there: the same for all ranks of
  /// a replication, empty at first, theirs until the next operation. Ranks have their turns in the order of time, those of
  /// one moment in the order of their index; it takes no time, and no message travels. Not on machines that switch off.
  auto turn() { return Awaitable<Turn>({*this}); }

  /// Where in its program the rank is, for sentences about programs that cannot end (ProgramDescription::place).
  void is_at(std::uint64_t place) { place_ = place; }
  [[nodiscard]] std::uint64_t place() const { return place_; }

  /// What has been computed so far is safe elsewhere, so that it counts as done (Quantity::work_flop) even where the
  /// machine is switched off later and the rank begins again.
  virtual void keep_work() {}

 protected:
  struct Place {
    int index;
    int count;
    const Workstation* host;      ///< where those of all ranks stand in their order; outlives the rank
    std::span<const double> shares_flop;  ///< of all ranks; outlives the rank
    Stream::Family streams;       ///< of the replication
    FramePool* frames = nullptr;  ///< for the program's coroutines; may be null
  };
  explicit Rank(const Place& p)
      : RankOperations(p.index, p.frames), count_(p.count), host_(p.host), shares_flop_(p.shares_flop),
        streams_(p.streams) {}
  /// For a rank that begins another replication: its streams, and nobody observes it yet.
  void begin_anew(const Stream::Family& streams) {
    streams_ = streams;
    place_ = 0;
    observe(nullptr);
  }

 private:
  int count_;
  const Workstation* host_;
  std::span<const double> shares_flop_;
  Stream::Family streams_;
  std::uint64_t place_ = 0;
};

// ---- what a program says of its next operation, for people who look at one replication ----

/// What an operation is for, where its kind does not tell: work for a message is computed, and a rank sleeps while tasks
/// are started.
enum class Meant { itself, message_work, spawn };

struct OperationNote {
  Meant meant = Meant::itself;
  std::int64_t chunk = -1;  ///< the number of the chunk of tasks that is computed; -1: none
  std::int64_t tasks = 0;   ///< how many it has
  int call = -1;            ///< the number of the call of its program that it is part of; -1: of none
};

/// Tells who watches, which normally nobody does.
inline void note_next(const Rank& rank, const OperationNote& note) {
  if (RankObserver* const observer = rank.observer()) [[unlikely]] observer->next_is(rank.index(), note);
}

}  // namespace nowsim
