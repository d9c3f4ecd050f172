// Journeys of messages, and what becomes of a message whose actor does not arrive.
#include "sim/engines/simgrid/message_actors.hpp"

#include <simgrid/Exception.hpp>

#include <string>

#include "sim/engines/simgrid/rank.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"

namespace nowsim {

/// However it ends, even with the actor's machine, the message is no longer under way.
struct MessageActors::Journey {
  MessageActors& message_actors;
  MessageActor& c;
  bool arrived = false;

  ~Journey() {
    --message_actors.in_flight_;
    if (arrived) return;
    c.to->mailbox().withdraw(c.sender, c.id);
    // What was sent behind a lost message can be taken now.
    do_later([&all = message_actors, to = c.to, sender = c.sender, replication = message_actors.clock_.origin.replication] {
      if (!all.clock_.is_running(replication)) return;
      to->notice(sender);
      all.landed_();
    });
  }
};

void MessageActors::send_off(SimGridRank& from, SimGridRank& to, std::uint64_t id, double bytes) {
  if (!to.machine()->is_on()) {  // it is lost; a carrier that ends before it is a daemon would count as one for ever
    to.mailbox().withdraw(from.index(), id);
    return;
  }
  start({nullptr, from.machine(), &to, from.index(), id, bytes, from.now(), false});
}

void MessageActors::send_off(const MatchingQueues::Departure& message, SimGridRank& from, SimGridRank& to) {
  start({nullptr, from.machine(), &to, from.index(), message.send, message.bytes, from.now(), true});
}

void MessageActors::start(MessageActor journey) {
  ++in_flight_;
  MessageActor* carrier = idle_or_new(journey.sender);
  journey.actor = carrier->actor;
  *carrier = std::move(journey);
  if (carrier->actor) return carrier->actor->resume();
  carrier->actor = simgrid_version::start_actor("courier of rank " + std::to_string(carrier->sender), carrier->from,
                                                [this, carrier] { be_message_actor(carrier); });
  carrier->actor->daemonize();
}

void MessageActors::carry_exchange(MessageActor& carrier) {
  bool has_failed = false;
  try {
    simgrid::s4u::Comm::sendto(carrier.from, carrier.to->machine(), countable_bytes(carrier.bytes));
    carrier.to->tell_carried(carrier.sender, carrier.to->index(), carrier.bytes, carrier.begin_s, carrier.to->now());
  } catch (const simgrid::NetworkFailureException&) {
    has_failed = true;
  }
  --in_flight_;
  ended_(static_cast<RequestId>(carrier.id), has_failed);
}

MessageActors::MessageActor* MessageActors::idle_or_new(int sender) {
  auto& idle = idle_[static_cast<std::size_t>(sender)];
  if (anew_ || idle.empty()) return message_actors_.emplace_back(std::make_unique<MessageActor>()).get();
  MessageActor* carrier = idle.back();
  idle.pop_back();
  return carrier;
}

void MessageActors::be_message_actor(MessageActor* carrier) {
  for (;;) {
    if (carrier->is_exchange) carry_exchange(*carrier);
    else carry(*carrier);
    landed_();
    if (anew_ || clock_.over) return;
    idle_[static_cast<std::size_t>(carrier->sender)].push_back(carrier);
    simgrid::s4u::this_actor::suspend();
    if (clock_.over) return;
  }
}

void MessageActors::carry(MessageActor& carrier) {
  Journey journey{*this, carrier};
  SimGridRank& to = *carrier.to;
  try {
    if (!to.machine()->is_on()) return;
    simgrid::s4u::Comm::sendto(carrier.from, to.machine(), countable_bytes(carrier.bytes));
  } catch (const simgrid::NetworkFailureException&) {  // the message is lost, as on a real network
    return;
  }
  journey.arrived = true;
  to.mailbox().arrive(carrier.sender, carrier.id, to.now());
  to.tell_carried(carrier.sender, to.index(), carrier.bytes, carrier.begin_s, to.now());
  to.notice(carrier.sender);
}

}  // namespace nowsim
