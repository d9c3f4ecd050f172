// A rank inside an S4U actor: each of its operations blocks until it is over.
#pragma once

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <string>

#include "sim/engines/ranks/engine_rank.hpp"
#include "sim/engines/simgrid/session.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

class SimGridReplication;

/// Bytes as SimGrid counts them.
inline std::uint64_t countable_bytes(double bytes) { return static_cast<std::uint64_t>(whole_bytes(bytes)); }

/// Ranks run one at a time, and their coroutines never suspend. Messages are matched by Mailbox, and only the transfer
/// itself is SimGrid's.
class SimGridRank final : public EngineRank<SimGridRank> {
 public:
  using Where = Place;
  SimGridRank(SimGridReplication& replication, const Where& place, simgrid::s4u::Host* host, std::size_t machine)
      : EngineRank(place), replication_(replication), machine_(host), machine_index_(machine) {}

  [[nodiscard]] double now() const override;
  void keep_work() override;
  /// Forgets what the rank's memory held: its machine was switched off.
  void lose_memory();
  /// So often since work was kept.
  [[nodiscard]] int restarts() const { return restarts_.count; }
  /// The job is over: it waits for nothing any more, and nobody waits for it.
  void stop();
  /// Lets everything else happen that happens at this moment: a message that comes at the same time as another one, or
  /// as a time-out, must not depend on whose actor runs first.
  void settle();
  /// A message from this sender can be taken: wakes the rank where it waits for one.
  void notice(int from);
  /// Whether what the rank does ends by itself: it needs no other rank for it.
  [[nodiscard]] bool ends_by_itself() const;
  [[nodiscard]] bool is_computing() const { return doing_ == Wait::compute; }
  [[nodiscard]] std::string stuck();
  [[nodiscard]] simgrid::s4u::Host* machine() const { return machine_; }
  /// Of its workstation.
  [[nodiscard]] std::size_t machine_index() const { return machine_index_; }
  /// A request is over: wakes the rank where it waits for it.
  void notice_end(RequestId request);
  Mailbox& mailbox() { return messaging_.mailbox; }
  using EngineRank::tell_carried;

  PerQuantity<double> recorded;
  void record_messages() {
    recorded[Quantity::messages] = messaging_.messages;
    recorded[Quantity::sent_bytes] = messaging_.sent_bytes;
  }
  bool finished = false;
  simgrid::s4u::ActorPtr actor;

 private:
  friend class EngineRank<SimGridRank>;
  bool computes(double flop);
  bool sleeps_until(double date_s);
  bool waits_at_barrier(double cost_s);
  bool transfers(double bytes);
  bool sends(Envelope&& envelope, double timeout_s);
  bool receives(double timeout_s);
  bool posts();
  bool finishes();
  bool tests();
  MatchingQueues& queues();
  Messaging& messaging() { return messaging_; }
  [[nodiscard]] const Platform& platform() const;
  std::uint64_t next_message_id();

  /// Says what the rank is doing, for messages about deadlocks.
  struct Doing {
    SimGridRank& rank;
    Doing(SimGridRank& r, Wait what, int peer = -1) : rank(r) {
      rank.doing_ = what;
      rank.messaging_.peer = peer;
    }
    ~Doing() { rank.doing_ = Wait::nothing; }
  };
  /// Wakes its rank at a date, unless it goes before: a rank may end at any wait, with its machine.
  class Alarm {
   public:
    Alarm(SimGridRank& rank, double date)
        : timer_(SimGridTimer::set(date, [this, &rank] {
            timer_ = nullptr;
            rank.wake();
          })) {}
    ~Alarm() {
      if (timer_ != nullptr) timer_->remove();
    }
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;
    [[nodiscard]] bool rang() const { return timer_ == nullptr; }

   private:
    SimGridTimer* timer_;
  };
  void block();
  void wake();
  void pull(Envelope envelope);
  void let_go();
  bool await_delivery(SimGridRank& receiver, double timeout_s);
  bool await_message(int from, double timeout_s);

  SimGridReplication& replication_;
  simgrid::s4u::Host* machine_;
  std::size_t machine_index_;
  Messaging messaging_;
  Restarts restarts_;
  bool blocked_ = false;
  bool has_deadline_ = false;
  enum class Delivery { none, offered, under_way, done, failed } delivery_ = Delivery::none;
  std::uint64_t offer_id_ = 0;
};

}  // namespace nowsim
