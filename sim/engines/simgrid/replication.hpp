// One replication on the SimGrid engine: its ranks in their actors, each of whose operations blocks until it is over,
// the actors that carry buffered messages, and whether the ranks can still come to an end.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "sim/engines/ranks/engine_rank.hpp"
#include "sim/engines/ranks/matching_queues.hpp"
#include "sim/engines/simgrid/machines.hpp"
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
  bool takes_turn();
  std::any& desk() override;
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

/// Actors that carry buffered messages: each travels by itself, while its sender goes on. An actor lives on its
/// sender's machine, and is used again unless machines switch off.
class MessageActors {
 public:
  MessageActors(SimGridReplication& replication, std::size_t ranks, bool anew)
      : replication_(replication), anew_(anew), idle_(ranks) {}

  /// Takes a message along: one with a tag, whose id is its send's request, or one that has departed in the receiver's
  /// mailbox, which is lost where the receiver's machine is off.
  void send_off(SimGridRank& from, SimGridRank& to, std::uint64_t id, double bytes, bool is_exchange);
  [[nodiscard]] std::size_t in_flight() const { return in_flight_; }
  /// Where machines switch off, they are made anew for each replication.
  void begin_replication() {
    if (anew_) message_actors_.clear();
  }

 private:
  struct MessageActor {
    simgrid::s4u::ActorPtr actor;
    simgrid::s4u::Host* from = nullptr;
    SimGridRank* to = nullptr;
    int sender = -1;
    std::uint64_t id = 0;
    double bytes = 0;
    double begin_s = 0;  // of the journey, since the replication began
    bool is_exchange = false;
  };
  struct Journey;
  MessageActor* idle_or_new(int sender);
  void be_message_actor(MessageActor* carrier);
  void carry(MessageActor& carrier);
  void carry_exchange(MessageActor& carrier);

  SimGridReplication& replication_;
  bool anew_;
  std::size_t in_flight_ = 0;
  std::vector<std::unique_ptr<MessageActor>> message_actors_;
  std::vector<std::vector<MessageActor*>> idle_;  // per rank
};

/// Replications run one after another in the same actors; where machines switch off actors die with them, and are made
/// anew for each.
class SimGridReplication {
 public:
  /// To be made when the platform has been loaded. The scenario and the clock outlive it.
  /// @param ended called when all ranks have finished and no message is under way.
  /// @param failed called with the sentence that says why it cannot end.
  SimGridReplication(const Scenario& scenario, BatchClock& clock, double look_ahead_s, std::function<void()> ended,
                     std::function<void(const std::string&)> failed);

  /// Starts the clock's replication.
  void start();
  /// Stops what would vary for ever.
  void stop_drivers() { machines_.stop(); }
  /// Lets the actors go that wait for another replication: there is none.
  void dismiss();
  /// Of the replication that has ended.
  [[nodiscard]] const RunResult& result() const { return result_; }
  [[nodiscard]] SimGridMachines& machines() { return machines_; }
  /// Of ranks that wait for ever.
  [[nodiscard]] std::string deadlock();

 private:
  friend class MessageActors;
  friend class SimGridRank;

  void create_actor(std::size_t i);
  void revive_ranks();
  bool go_on();
  [[nodiscard]] bool is_hopeless() const;
  void be_rank(std::size_t i);
  void run_process(SimGridRank& rank);
  void finish(SimGridRank& rank);
  void rank_died(SimGridRank* rank);
  void stop_others();
  void end_if_over();
  void record_rest();
  SimGridRank& rank(int i) { return *ranks_[static_cast<std::size_t>(i)]; }
  /// Messages with tags. @throws std::invalid_argument where machines switch off.
  MatchingQueues& queues();

  const Scenario& scenario_;
  BatchClock& clock_;
  std::function<void()> ended_;
  std::function<void(const std::string&)> failed_;
  SimGridMachines machines_;
  bool anew_;  // machines switch off: actors are made for each replication
  MessageActors message_actors_;
  std::vector<std::unique_ptr<SimGridRank>> ranks_;
  std::size_t running_ = 0;
  RunResult result_;
  JobBarrier barrier_;
  std::uint64_t next_id_ = 0;
  std::vector<int> machine_of_;  ///< per rank
  std::optional<MatchingQueues> queues_;
  std::any desk_;
  std::set<int> at_desk_;  ///< ranks that wait for their turns
};

}  // namespace nowsim
