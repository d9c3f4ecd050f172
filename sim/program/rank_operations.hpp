// How a rank's operations are awaited, and what an engine does for each: the side of a rank that programs need not
// know. Messages with tags, as MPI has them: posted without waiting, matched by sender and tag, and waited for by a
// request. And who may watch a replication from outside.
#pragma once

#include <any>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/program/process.hpp"

namespace nowsim {

/// What a rank has posted and may wait for. A number that is given again when it has been waited for.
using RequestId = std::uint32_t;
/// Of what is over as soon as it has been posted.
inline constexpr RequestId kNoRequest = std::numeric_limits<RequestId>::max();

/// Of a receive: whatever tag, but for negative ones.
inline constexpr int kAnyTag = -1;

/// When a posted message travels, and when its sender is through with it.
enum class SendMode : std::uint8_t {
  eager,       ///< it travels at once and waits at its receiver; its sender is through at once
  detached,    ///< it travels as soon as a receive is posted that takes it; its sender is through at once
  rendezvous,  ///< it travels then too, and its sender is through when it has arrived
};

/// A send or a receive as it is posted.
struct Posting {
  bool is_send;
  SendMode mode = SendMode::rendezvous;  ///< of a send
  int peer;                              ///< whom to send to, or whom to receive from (Rank::kAnyRank: any)
  int tag;                               ///< of a receive also kAnyTag
  double bytes = 0;                      ///< of a send
};

/// What a request has come to: of a receive the message that it took, of a send that message itself.
struct Exchanged {
  int peer = -1;
  int tag = 0;
  double bytes = 0;
};

/// Which of several requests was over first, by its place among them.
struct FinishedOne {
  std::size_t place = 0;
  Exchanged message;
};

struct OperationNote;
struct OwnerJobRun;

/// What a rank does with its time. An isend takes none.
enum class Activity { compute, barrier, receive, send, isend, sleep, transfer, idle, off };

/// An operation as its program asks for it.
struct Awaited {
  Activity what = Activity::compute;
  int peer = -1;      ///< the rank that a message goes to or is to come from; -1: none, or any
  double amount = 0;  ///< of a compute in flop; of what is sent or transferred in bytes, as asked for
};

/// Watches the ranks that have been told so (RankOperations::observe). Times count from the replication's beginning [s].
class RankObserver {
 public:
  virtual ~RankObserver() = default;
  /// The operation that the rank asks for next is this (rank.hpp).
  virtual void next_is(int rank, const OperationNote& note) = 0;
  /// The rank asks for an operation.
  virtual void begins(int rank, double now_s, const Awaited& operation) = 0;
  /// The operation is over. One that throws, or whose machine is switched off, may never be.
  virtual void ends(int rank, double now_s) = 0;
  /// A message travels from begin_s on and arrives at end_s, which may be known before. Those lost never arrive.
  virtual void carries(int from, int to, double bytes, double begin_s, double end_s) = 0;
  /// All owner jobs that a rank's workstation has had in [0, T], from an engine that follows each.
  virtual void has_owner_jobs(int rank, std::vector<OwnerJobRun> jobs) = 0;
};

class Supersteps;

/// What a receive gives: who sent it, its size on the network, and what it holds (nothing needs to be in it).
struct Message {
  int from = -1;
  double bytes = 0;
  std::any content;
};

/// Thrown by a send, a receive or a transfer whose other end, or whose network, fails for good while it waits.
class CommunicationFailed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A rank as engines see it; Rank is what programs see of it.
class RankOperations {
 public:
  virtual ~RankOperations() = default;
  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] virtual double now() const = 0;
  /// Where coroutines that have this rank for a parameter keep their frames; may be null.
  [[nodiscard]] FramePool* frames() const { return frames_; }
  /// Who is told of what the rank awaits from now on; it outlives the rank. Normally nobody (null).
  void observe(RankObserver* observer) { observer_ = observer; }
  [[nodiscard]] RankObserver* observer() const { return observer_; }

 protected:
  RankOperations(int index, FramePool* frames) : index_(index), frames_(frames) {}

  // How an engine does each operation: true when it is complete on return, false when the engine will resume waiter()
  // later.
  virtual bool begin_compute(double flop) = 0;
  virtual bool begin_sleep_until(double date_s) = 0;
  virtual bool begin_barrier(double cost_s) = 0;
  /// It ends with note_delivery() where it fails.
  virtual bool begin_transfer(double bytes) = 0;
  /// It ends with note_delivery() where it may end otherwise than done.
  virtual bool begin_send(int to, double bytes, std::any content, bool buffered, double timeout_s) = 0;
  virtual bool begin_receive(int from, double timeout_s) = 0;
  virtual std::optional<Message> take_received() = 0;
  /// Posts, and waits until that is over where `waits`; else posted() is its request then.
  virtual bool begin_post(const Posting& posting, bool waits) = 0;
  virtual RequestId posted() = 0;
  /// Until one of them is over: finished() tells which, and take_exchanged() takes what it has come to.
  virtual bool begin_finish(std::span<const RequestId> requests) = 0;
  virtual std::size_t finished() = 0;
  /// Whether it is over: finished() is 0 then, and 1 where it is not.
  virtual bool begin_test(RequestId request) = 0;
  /// @throws CommunicationFailed where it has failed with its network.
  virtual Exchanged take_exchanged() = 0;
  /// Waits until all that other ranks had to do before at the desk() is done.
  virtual bool begin_turn() = 0;
  virtual std::any& desk() = 0;
  [[nodiscard]] std::coroutine_handle<> waiter() const { return waiter_; }

  /// How a send ends: its message is taken over, nobody takes it in time, or the receiver or the network is gone.
  enum class Sent { done, given_up, failed };
  void note_delivery(Sent how) { sent_ = how; }
  /// @param end the end that may have failed: "sender".
  [[noreturn, gnu::cold, gnu::noinline]] void fail_message(int from, int to, const char* end) const {
    throw CommunicationFailed("the message of rank " + std::to_string(from) + " to rank " + std::to_string(to) +
                              " failed with its network or its " + end);
  }

  /// What every awaited operation shares. Operation says what it is, how it begins (true: it is over already) and how
  /// it ends.
  template <class Operation>
  class [[nodiscard]] Awaitable : public Operation {
   public:
    explicit Awaitable(Operation operation) : Operation(std::move(operation)) {}
    bool await_ready() {
      const RankOperations& of = this->rank;
      if (of.observer_) [[unlikely]] of.observer_->begins(of.index_, of.now(), this->awaited());
      return this->begin();
    }
    void await_suspend(std::coroutine_handle<> waiter) noexcept { this->rank.waiter_ = waiter; }
    decltype(auto) await_resume() {
      const RankOperations& of = this->rank;
      if (of.observer_) [[unlikely]] of.observer_->ends(of.index_, of.now());
      return this->end();
    }
  };
  struct Silent {
    RankOperations& rank;
    void end() const {}
  };
  struct Compute : Silent {
    double flop;
    bool begin() const { return rank.begin_compute(flop); }
    Awaited awaited() const { return {Activity::compute, -1, flop}; }
  };
  struct Sleep : Silent {
    double date_s;
    bool begin() const { return rank.begin_sleep_until(date_s); }
    Awaited awaited() const { return {Activity::sleep}; }
  };
  struct Barrier : Silent {
    double cost_s;
    bool begin() const { return rank.begin_barrier(cost_s); }
    Awaited awaited() const { return {Activity::barrier}; }
  };
  struct Transfer {
    RankOperations& rank;
    double bytes;
    bool begin() const { return rank.begin_transfer(bytes); }
    Awaited awaited() const { return {Activity::transfer, -1, bytes}; }
    void end() const {
      if (rank.sent_ == Sent::failed) [[unlikely]] rank.fail_transfer();
    }
  };
  struct Send {
    RankOperations& rank;
    int to;
    double bytes;
    std::any content;
    bool buffered;
    bool begin() { return rank.begin_send(to, bytes, std::move(content), buffered, kInfinity); }
    Awaited awaited() const { return {buffered ? Activity::isend : Activity::send, to, bytes}; }
    void end() const { rank.is_sent_to(to); }
  };
  struct SendFor {
    RankOperations& rank;
    int to;
    double bytes;
    std::any content;
    double timeout_s;
    bool begin() { return rank.begin_send(to, bytes, std::move(content), false, timeout_s); }
    Awaited awaited() const { return {Activity::send, to, bytes}; }
    bool end() const { return rank.is_sent_to(to); }
  };
  struct Receive {
    RankOperations& rank;
    int from;
    bool begin() const { return rank.begin_receive(from, kInfinity); }
    Awaited awaited() const { return {Activity::receive, from}; }
    Message end() const { return std::move(*rank.take_received()); }
  };
  struct ReceiveFor {
    RankOperations& rank;
    int from;
    double timeout_s;
    bool begin() const { return rank.begin_receive(from, timeout_s); }
    Awaited awaited() const { return {Activity::receive, from}; }
    std::optional<Message> end() const { return rank.take_received(); }
  };
  struct Post {
    RankOperations& rank;
    Posting posting;
    bool begin() const { return rank.begin_post(posting, false); }
    Awaited awaited() const { return {Activity::isend, posting.peer, posting.bytes}; }
    RequestId end() const { return rank.posted(); }
  };
  struct Exchange {
    RankOperations& rank;
    Posting posting;
    bool begin() const { return rank.begin_post(posting, true); }
    Awaited awaited() const {
      return {posting.is_send ? Activity::send : Activity::receive, posting.peer, posting.bytes};
    }
    Exchanged end() const { return rank.take_exchanged(); }
  };
  struct Turn {
    RankOperations& rank;
    bool begin() const { return rank.begin_turn(); }
    Awaited awaited() const { return {Activity::sleep}; }
    std::any& end() const { return rank.desk(); }
  };
  struct Finish {
    RankOperations& rank;
    RequestId request;
    Awaited shown;
    bool begin() const { return rank.begin_finish({&request, 1}); }
    Awaited awaited() const { return shown; }
    Exchanged end() const { return rank.take_exchanged(); }
  };
  struct FinishAny {
    RankOperations& rank;
    std::span<const RequestId> requests;
    bool begin() const { return rank.begin_finish(requests); }
    Awaited awaited() const { return {Activity::receive}; }
    FinishedOne end() const {
      const std::size_t place = rank.finished();
      return {place, rank.take_exchanged()};
    }
  };
  struct Test {
    RankOperations& rank;
    RequestId request;
    bool begin() const { return rank.begin_test(request); }
    Awaited awaited() const { return {Activity::isend}; }
    std::optional<Exchanged> end() const {
      if (rank.finished() != 0) return std::nullopt;
      return rank.take_exchanged();
    }
  };

 private:
  bool is_sent_to(int to) const {
    if (sent_ == Sent::failed) [[unlikely]] fail_message(index_, to, "receiver");
    return sent_ == Sent::done;
  }
  [[noreturn, gnu::cold, gnu::noinline]] void fail_transfer() const {
    throw CommunicationFailed("the transfer of rank " + std::to_string(index_) + " failed with its network");
  }

  int index_;
  Sent sent_ = Sent::done;
  FramePool* frames_;
  RankObserver* observer_ = nullptr;
  std::coroutine_handle<> waiter_;
};

}  // namespace nowsim
