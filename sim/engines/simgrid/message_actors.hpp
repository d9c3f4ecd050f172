// Actors that carry buffered messages: each travels by itself, while its sender goes on.
#pragma once

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/engines/ranks/matching_queues.hpp"
#include "sim/engines/simgrid/session.hpp"

namespace nowsim {

class SimGridRank;

/// An actor lives on its sender's machine, and is used again unless machines switch off.
class MessageActors {
 public:
  /// @param landed called when a message has arrived or is known to be lost.
  /// @param ended called with the request of a message with a tag, and whether it failed with its network.
  MessageActors(const BatchClock& clock, std::size_t ranks, bool anew, std::function<void()> landed,
                std::function<void(RequestId send, bool has_failed)> ended)
      : clock_(clock), anew_(anew), landed_(std::move(landed)), ended_(std::move(ended)), idle_(ranks) {}

  /// Takes a message with a tag along; `ended` is called when it has arrived or failed.
  void send_off(const MatchingQueues::Departure& message, SimGridRank& from, SimGridRank& to);
  /// Takes a message along that has departed in the receiver's mailbox. One to a machine that is off is lost.
  void send_off(SimGridRank& from, SimGridRank& to, std::uint64_t id, double bytes);
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
    bool is_exchange = false;  // of a message with a tag, whose id is its send's request
  };
  struct Journey;
  MessageActor* idle_or_new(int sender);
  void be_message_actor(MessageActor* carrier);
  void start(MessageActor journey);
  void carry(MessageActor& carrier);
  void carry_exchange(MessageActor& carrier);

  const BatchClock& clock_;
  bool anew_;
  std::function<void()> landed_;
  std::function<void(RequestId, bool)> ended_;
  std::size_t in_flight_ = 0;
  std::vector<std::unique_ptr<MessageActor>> message_actors_;
  std::vector<std::vector<MessageActor*>> idle_;  // per rank
};

}  // namespace nowsim
