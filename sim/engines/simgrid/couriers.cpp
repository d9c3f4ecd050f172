// Couriers' journeys, and what becomes of a message whose courier does not arrive.
#include "sim/engines/simgrid/couriers.hpp"

#include <simgrid/Exception.hpp>

#include <string>

#include "sim/engines/simgrid/rank.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"

namespace nowsim {

/// However it ends, even with the courier's machine, the message is no longer under way.
struct Couriers::Journey {
  Couriers& couriers;
  Courier& c;
  bool arrived = false;

  ~Journey() {
    --couriers.in_flight_;
    if (arrived) return;
    c.to->inbox().withdraw(c.sender, c.id);
    // What was sent behind a lost message can be taken now.
    do_later([&all = couriers, to = c.to, sender = c.sender, replication = couriers.clock_.origin.replication] {
      if (!all.clock_.is_running(replication)) return;
      to->notice(sender);
      all.landed_();
    });
  }
};

void Couriers::send_off(SimGridRank& from, SimGridRank& to, std::uint64_t id, double bytes) {
  if (!to.machine()->is_on()) {  // it is lost; a courier that ends before it is a daemon would count as one for ever
    to.inbox().withdraw(from.index(), id);
    return;
  }
  start({nullptr, from.machine(), &to, from.index(), id, bytes, from.now(), false});
}

void Couriers::send_off(const RequestBook::Departure& message, SimGridRank& from, SimGridRank& to) {
  start({nullptr, from.machine(), &to, from.index(), message.send, message.bytes, from.now(), true});
}

void Couriers::start(Courier journey) {
  ++in_flight_;
  Courier* courier = idle_or_new(journey.sender);
  journey.actor = courier->actor;
  *courier = std::move(journey);
  if (courier->actor) return courier->actor->resume();
  courier->actor = simgrid_version::start_actor("courier of rank " + std::to_string(courier->sender), courier->from,
                                                [this, courier] { be_courier(courier); });
  courier->actor->daemonize();
}

void Couriers::carry_exchange(Courier& courier) {
  bool has_failed = false;
  try {
    simgrid::s4u::Comm::sendto(courier.from, courier.to->machine(), countable_bytes(courier.bytes));
    courier.to->tell_carried(courier.sender, courier.to->index(), courier.bytes, courier.begin_s, courier.to->now());
  } catch (const simgrid::NetworkFailureException&) {
    has_failed = true;
  }
  --in_flight_;
  ended_(static_cast<RequestId>(courier.id), has_failed);
}

Couriers::Courier* Couriers::idle_or_new(int sender) {
  auto& idle = idle_[static_cast<std::size_t>(sender)];
  if (anew_ || idle.empty()) return couriers_.emplace_back(std::make_unique<Courier>()).get();
  Courier* courier = idle.back();
  idle.pop_back();
  return courier;
}

void Couriers::be_courier(Courier* courier) {
  for (;;) {
    if (courier->is_exchange) carry_exchange(*courier);
    else carry(*courier);
    landed_();
    if (anew_ || clock_.over) return;
    idle_[static_cast<std::size_t>(courier->sender)].push_back(courier);
    simgrid::s4u::this_actor::suspend();
    if (clock_.over) return;
  }
}

void Couriers::carry(Courier& courier) {
  Journey journey{*this, courier};
  SimGridRank& to = *courier.to;
  try {
    if (!to.machine()->is_on()) return;
    simgrid::s4u::Comm::sendto(courier.from, to.machine(), countable_bytes(courier.bytes));
  } catch (const simgrid::NetworkFailureException&) {  // the message is lost, as on a real network
    return;
  }
  journey.arrived = true;
  to.inbox().arrive(courier.sender, courier.id, to.now());
  to.tell_carried(courier.sender, to.index(), courier.bytes, courier.begin_s, to.now());
  to.notice(courier.sender);
}

}  // namespace nowsim
