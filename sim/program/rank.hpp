// What a parallel program is written against: its place in the job, and the operations it can await on either engine.
#pragma once

#include <any>
#include <coroutine>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/platform/platform.hpp"
#include "sim/program/process.hpp"
#include "sim/program/rank_observer.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

class Supersteps;

/// What a receive gives: who sent it, its size on the network, and what it holds (nothing needs to be in it).
struct Message {
  int from = -1;
  double bytes = 0;
  std::any content;
};

/// Thrown by a send or transfer whose other end, or whose network, fails for good while it waits.
class CommunicationFailed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr double kForever = std::numeric_limits<double>::infinity();

/// One task of the parallel job, on one workstation. Operations that take simulated time are awaited:
/// `co_await self.compute(1e9)`. A rank waits for one operation at a time.
class Rank {
 public:
  virtual ~Rank() = default;

  /// This rank's number, 0 .. count() - 1; rank i runs on workstation i of the scenario.
  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const Workstation& host() const { return *host_; }
  /// The work that the splitting policy gave this rank, X_i [flop].
  [[nodiscard]] double share() const { return shares_flop_[static_cast<std::size_t>(index_)]; }
  /// Those of all ranks, X_1 .. X_count [flop].
  [[nodiscard]] std::span<const double> shares() const { return shares_flop_; }
  /// Where coroutines that have this rank for a parameter keep their frames; may be null.
  [[nodiscard]] FramePool* frames() const { return frames_; }
  /// Simulated time since the replication began [s].
  [[nodiscard]] virtual double now() const = 0;
  /// Who is told of what the rank awaits from now on; it outlives the rank. Normally nobody (null).
  void observe(RankObserver* observer) { observer_ = observer; }
  [[nodiscard]] RankObserver* observer() const { return observer_; }
  /// The rank's stream for a purpose, from its beginning: keep the object, a second call gives the same numbers again.
  [[nodiscard]] Stream random(Purpose purpose = Purpose::workload) const {
    return streams_.stream(static_cast<std::uint64_t>(index_), purpose);
  }
  /// A stream that all ranks share (each gets its own copy).
  [[nodiscard]] Stream common_random(Purpose purpose = Purpose::workload) const {
    return streams_.stream(kAllWorkstations, purpose);
  }

 private:
  /// What every awaited operation shares. Operation says what it is, how it begins (true: it is over already) and how
  /// it ends.
  template <class Operation>
  class [[nodiscard]] Awaitable : public Operation {
   public:
    explicit Awaitable(Operation operation) : Operation(std::move(operation)) {}
    bool await_ready() {
      if (RankObserver* o = this->rank.observer_) [[unlikely]] o->begins(this->rank, this->awaited());
      return this->begin();
    }
    void await_suspend(std::coroutine_handle<> waiter) noexcept { this->rank.waiter_ = waiter; }
    decltype(auto) await_resume() {
      if (RankObserver* o = this->rank.observer_) [[unlikely]] o->ends(this->rank);
      return this->end();
    }
  };
  struct Silent {
    Rank& rank;
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
  struct Transfer : Silent {
    double bytes;
    bool begin() const { return rank.begin_transfer(bytes); }
    Awaited awaited() const { return {Activity::transfer, -1, bytes}; }
  };
  struct Send {
    Rank& rank;
    int to;
    double bytes;
    std::any content;
    bool buffered;
    bool begin() { return rank.begin_send(to, bytes, std::move(content), buffered, kForever); }
    Awaited awaited() const { return {buffered ? Activity::isend : Activity::send, to, bytes}; }
    void end() const { rank.is_sent_to(to); }
  };
  struct SendFor {
    Rank& rank;
    int to;
    double bytes;
    std::any content;
    double timeout_s;
    bool begin() { return rank.begin_send(to, bytes, std::move(content), false, timeout_s); }
    Awaited awaited() const { return {Activity::send, to, bytes}; }
    bool end() const { return rank.is_sent_to(to); }
  };
  struct Receive {
    Rank& rank;
    int from;
    bool begin() const { return rank.begin_receive(from, kForever); }
    Awaited awaited() const { return {Activity::receive, from}; }
    Message end() const { return std::move(*rank.take_received()); }
  };
  struct InOneGo {
    Rank& rank;
    const Supersteps& program;
    bool begin() const { return rank.begin_supersteps(program); }
    Awaited awaited() const { return {Activity::barrier}; }
    bool end() const { return rank.has_run_supersteps(); }
  };
  struct ReceiveFor {
    Rank& rank;
    int from;
    double timeout_s;
    bool begin() const { return rank.begin_receive(from, timeout_s); }
    Awaited awaited() const { return {Activity::receive, from}; }
    std::optional<Message> end() const { return rank.take_received(); }
  };

 public:
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
  auto transfer(double bytes) { return Awaitable<Transfer>({{*this}, bytes}); }
  /// A rendezvous: the transfer starts when the receiver is ready too, and both return at its end. Whole bytes.
  auto send(int to, double bytes, std::any content = {}) {
    return Awaitable<Send>({*this, to, bytes, std::move(content), false});
  }
  /// The same, giving up (false) when the receiver has not become ready within timeout_s [s]: the offer is withdrawn. A
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
  /// The same, giving up (std::nullopt) when no message has come within timeout_s [s]. A rendezvous transfer that has
  /// started within that time is always completed.
  auto receive(int from, double timeout_s) { return Awaitable<ReceiveFor>({*this, from, timeout_s}); }
  /// The message that is there first: a buffered one when it arrives, a rendezvous when it is offered. Those that come
  /// within a relative 1e-9 of time are taken in the order of their senders' index.
  auto receive_any() { return Awaitable<Receive>({*this, kAnyRank}); }
  auto receive_any(double timeout_s) { return Awaitable<ReceiveFor>({*this, kAnyRank, timeout_s}); }

  /// All ranks together: runs a program of supersteps (supersteps.hpp) at once, with the outcome of its messages, computes
  /// and barriers one by one. False where the engine cannot: nothing has happened then, but that ranks may have waited for
  /// each other as at a barrier. run_supersteps() is what programs call.
  auto supersteps_in_one_go(const Supersteps& program) { return Awaitable<InOneGo>({*this, program}); }

  /// What has been computed so far is safe elsewhere, so that it counts as done (Quantity::work_flop) even where the
  /// machine is switched off later and the rank begins again.
  virtual void keep_work() {}

 protected:
  struct Place {
    int index;
    int count;
    const Workstation* host;
    std::span<const double> shares_flop;  ///< of all ranks; outlives the rank
    Stream::Family streams;       ///< of the replication
    FramePool* frames = nullptr;  ///< for the program's coroutines; may be null
  };
  explicit Rank(const Place& p)
      : index_(p.index), count_(p.count), host_(p.host), shares_flop_(p.shares_flop),
        streams_(p.streams), frames_(p.frames) {}

  // How an engine does each operation: true when it is complete on return, false when the engine will resume waiter()
  // later.
  virtual bool begin_compute(double flop) = 0;
  virtual bool begin_sleep_until(double date_s) = 0;
  virtual bool begin_barrier(double cost_s) = 0;
  virtual bool begin_transfer(double bytes) = 0;
  /// It ends with note_delivery() where it, or a send of this rank before, may end otherwise than done.
  virtual bool begin_send(int to, double bytes, std::any content, bool buffered, double timeout_s) = 0;
  virtual bool begin_receive(int from, double timeout_s) = 0;
  virtual std::optional<Message> take_received() = 0;
  virtual bool begin_supersteps(const Supersteps& /*program*/) { return true; }
  /// Whether it could.
  [[nodiscard]] virtual bool has_run_supersteps() const { return false; }
  [[nodiscard]] std::coroutine_handle<> waiter() const { return waiter_; }
  /// How a send ends: its message is taken over, nobody takes it in time, or the receiver or the network is gone.
  enum class Sent { done, given_up, failed };
  void note_delivery(Sent how) { sent_ = how; }
  [[noreturn, gnu::cold, gnu::noinline]] void fail_send(int to) const {
    throw CommunicationFailed("the message of rank " + std::to_string(index_) + " to rank " + std::to_string(to) +
                              " failed with its network or its receiver");
  }
  [[noreturn, gnu::cold, gnu::noinline]] void fail_receive(int from) const {
    throw CommunicationFailed("the message of rank " + std::to_string(from) + " to rank " + std::to_string(index_) +
                              " failed with its network or its sender");
  }
  /// For a rank that begins another replication: its streams, and nobody observes it yet.
  void begin_anew(const Stream::Family& streams) {
    streams_ = streams;
    observer_ = nullptr;
  }

 private:
  bool is_sent_to(int to) const {
    if (sent_ == Sent::failed) [[unlikely]] fail_send(to);
    return sent_ == Sent::done;
  }

  int index_;
  int count_;
  const Workstation* host_;
  std::span<const double> shares_flop_;
  Stream::Family streams_;
  FramePool* frames_;
  RankObserver* observer_ = nullptr;
  Sent sent_ = Sent::done;
  std::coroutine_handle<> waiter_;
};

}  // namespace nowsim
