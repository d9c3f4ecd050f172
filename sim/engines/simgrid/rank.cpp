// What ranks wait for, and how they are woken; journeys of messages, and what becomes of one that does not arrive.
#include "sim/engines/simgrid/replication.hpp"

#include <simgrid/Exception.hpp>

#include <algorithm>
#include <string>

namespace nowsim {

namespace s4u = simgrid::s4u;

bool SimGridRank::ends_by_itself() const {
  switch (doing_) {
    case Wait::barrier: return false;
    case Wait::send: return delivery_ != Delivery::offered || has_deadline_;
    case Wait::receive:
    case Wait::receive_any: return has_deadline_ || messaging_.mailbox.has(messaging_.peer);
    case Wait::compute: return !replication_.machines_.gets_nothing(machine_index_, now());
    case Wait::request: return false;  // what is under way counts by itself
    default: return true;
  }
}

double SimGridRank::now() const { return replication_.clock_.now(); }

void SimGridRank::block() {
  blocked_ = true;
  s4u::this_actor::suspend();
  blocked_ = false;
}

/// From another rank's actor or from a timer. Ranks run one at a time, so none can be missed.
void SimGridRank::wake() {
  if (blocked_) actor->resume();
}

const Platform& SimGridRank::platform() const { return *replication_.scenario_.platform; }

std::uint64_t SimGridRank::next_message_id() { return ++replication_.next_id_; }

bool SimGridRank::computes(double flop) {
  const Doing doing(*this, Wait::compute);
  const double begin = simgrid_clock_s();
  s4u::this_actor::execute(flop);
  recorded[Quantity::active_s] += simgrid_clock_s() - begin;
  recorded[Quantity::work_flop] += flop;
  return true;
}

bool SimGridRank::sleeps_until(double date_s) {
  const Doing doing(*this, Wait::sleep);
  if (date_s > now()) s4u::this_actor::sleep_until(replication_.clock_.origin.date_s + date_s);
  return true;
}

bool SimGridRank::waits_at_barrier(double cost_s) {
  JobBarrier& barrier = replication_.barrier_;
  const auto arrival = barrier.arrive(index(), cost_s, &restarts_.barriers, static_cast<std::size_t>(count()));
  if (arrival == JobBarrier::Arrival::passes) return true;
  const Doing doing(*this, Wait::barrier);
  if (arrival == JobBarrier::Arrival::waits) {
    for (const std::uint64_t round = barrier.round(); round == barrier.round();) block();
  } else {
    for (const int other : barrier.release()) replication_.rank(other).wake();
  }
  const Doing paying(*this, Wait::sleep);  // no longer waiting for others: it ends by itself
  if (cost_s > 0) s4u::this_actor::sleep_for(cost_s);
  return true;
}

bool SimGridRank::transfers(double bytes) {
  const Doing doing(*this, Wait::transfer);
  replication_.machines_.require_own_path(machine_);
  try {
    s4u::Comm::sendto(machine_, machine_, countable_bytes(bytes));
  } catch (const simgrid::NetworkFailureException&) {
    note_delivery(Sent::failed);
  }
  return true;
}

bool SimGridRank::sends(Envelope&& envelope, double timeout_s) {
  SimGridRank& receiver = replication_.rank(messaging_.peer);
  const std::uint64_t id = envelope.id;
  const double bytes = envelope.bytes;
  if (envelope.buffered) {
    receiver.mailbox().depart(std::move(envelope));
    replication_.message_actors_.send_off(*this, receiver, id, bytes, false);
    return true;
  }
  const Doing doing(*this, Wait::send, receiver.index());
  delivery_ = Delivery::offered;
  offer_id_ = id;
  receiver.mailbox().offer(std::move(envelope), now());
  receiver.notice(index());
  if (!await_delivery(receiver, timeout_s)) note_delivery(Sent::given_up);
  if (std::exchange(delivery_, Delivery::none) == Delivery::failed) note_delivery(Sent::failed);
  return true;
}

/// Until the message has been taken over; false, the offer withdrawn, when the time is over before that begins.
bool SimGridRank::await_delivery(SimGridRank& receiver, double timeout_s) {
  has_deadline_ = timeout_s < kInfinity;
  std::optional<Alarm> deadline;
  if (has_deadline_) deadline.emplace(*this, simgrid_clock_s() + timeout_s);
  for (bool settled = false; delivery_ == Delivery::offered || delivery_ == Delivery::under_way;) {
    if (delivery_ == Delivery::under_way || !deadline || !deadline->rang()) {
      block();
    } else if (!settled) {  // who receives at this very moment still gets it
      settle();
      settled = true;
    } else {
      receiver.mailbox().withdraw(index(), offer_id_);
      delivery_ = Delivery::none;
      return false;
    }
  }
  return true;
}

void SimGridRank::notice(int from) {
  if (awaits(from) && mailbox().has(messaging_.peer)) wake();
}

void SimGridRank::settle() {
  const Alarm now(*this, simgrid_clock_s());
  while (!now.rang()) block();
}

/// Waits until a message can be taken; false when the time is over before.
bool SimGridRank::await_message(int from, double timeout_s) {
  if (from >= 0 && mailbox().has(from)) return true;
  const Doing doing(*this, from < 0 ? Wait::receive_any : Wait::receive, from);
  has_deadline_ = timeout_s < kInfinity;
  std::optional<Alarm> deadline;
  if (has_deadline_ && timeout_s > 0) deadline.emplace(*this, simgrid_clock_s() + timeout_s);
  const auto time_is_over = [&] { return has_deadline_ && (!deadline || deadline->rang()); };
  for (bool settled = false;; settled = true) {
    for (; !mailbox().has(from) && !time_is_over(); settled = false) block();
    const bool sure = mailbox().has(from) && (from >= 0 || !mailbox().may_tie(now()));
    if (sure || settled) return mailbox().has(from);
    settle();
  }
}

bool SimGridRank::receives(double timeout_s) {
  const int from = messaging_.peer;
  if (await_message(from, timeout_s)) pull(*mailbox().take(from));
  return true;
}

/// Takes a message over: a rendezvous is transferred now.
void SimGridRank::pull(Envelope envelope) {
  if (!envelope.buffered) {
    const Doing doing(*this, Wait::pull, envelope.from);
    SimGridRank& sender = replication_.rank(envelope.from);
    sender.delivery_ = Delivery::under_way;
    // However the transfer ends, even if it ends this actor, the sender learns of it: by a timer, since a dying actor
    // must not call the kernel.
    struct Ending {
      SimGridRank& sender;
      std::uint64_t id;
      ~Ending() {
        if (sender.offer_id_ == id && sender.delivery_ == Delivery::under_way) {
          sender.delivery_ = Delivery::failed;
          const BatchClock& clock = sender.replication_.clock_;
          do_later([&clock, &woken = sender, replication = clock.origin.replication] {
            if (clock.is_running(replication)) woken.wake();
          });
        }
      }
    } ending{sender, envelope.id};
    try {
      const double begin_s = now();
      s4u::Comm::sendto(sender.machine_, machine_, countable_bytes(envelope.bytes));
      tell_carried(envelope.from, index(), envelope.bytes, begin_s, now());
      if (sender.offer_id_ == envelope.id) {
        sender.delivery_ = Delivery::done;
        sender.wake();
      }
    } catch (const simgrid::NetworkFailureException&) {
      messaging_.failed_with = envelope.from;
      return;
    }
  }
  deliver(std::move(envelope));
}

void SimGridRank::keep_work() {
  restarts_.kept_work_flop = recorded[Quantity::work_flop];
  restarts_.kept_active_s = recorded[Quantity::active_s];
  restarts_.count = 0;  // it gets on
}

/// What a switched-off machine forgets. Its offers vanish from their receivers; offers made to it stay.
void SimGridRank::lose_memory() {
  mailbox().forget_buffered();
  let_go();
  messaging_.received.reset();
  messaging_.failed_with = -1;
  restarts_.barriers = 0;
  ++restarts_.count;
  // The rest is lost: only what counts towards the end is work done.
  recorded[Quantity::work_flop] = restarts_.kept_work_flop;
  recorded[Quantity::active_s] = restarts_.kept_active_s;
}

/// Withdraws what it offers, and is no longer to be woken.
void SimGridRank::let_go() {
  if (delivery_ == Delivery::offered) replication_.rank(messaging_.peer).mailbox().withdraw(index(), offer_id_);
  delivery_ = Delivery::none;
  offer_id_ = 0;
  doing_ = Wait::nothing;
  blocked_ = false;
}

void SimGridRank::stop() {
  let_go();
  finished = true;
  recorded[Quantity::finish_s] = now();
  if (actor) actor->kill();
  actor = nullptr;
}

std::string SimGridRank::stuck() {
  const bool is_off = doing_ == Wait::nothing && !machine_->is_on();
  const std::string waits = is_off                    ? "is switched off for ever"
                            : doing_ == Wait::request ? request_text()
                                                      : waiting_text(doing_, messaging_.peer);
  return stuck_text(index(), host().name, waits + place_text(replication_.scenario_, *this));
}

// ---- messages with tags ------------------------------------------------------------------------------------------

MatchingQueues& SimGridRank::queues() { return replication_.queues(); }

bool SimGridRank::posts() {
  std::optional<MatchingQueues::Departure> departs;
  messaging_.posted = queues().post(index(), messaging_.posting, now(), departs);
  messaging_.requests.clear();
  messaging_.finished = 0;
  if (messaging_.waits_for_posted && messaging_.posted != kNoRequest) messaging_.requests.push_back(messaging_.posted);
  if (departs)
    replication_.message_actors_.send_off(replication_.rank(departs->from), replication_.rank(departs->to),
                                          departs->send, departs->bytes, true);
  return messaging_.requests.empty() || finishes();
}

bool SimGridRank::finishes() {
  const Doing doing(*this, Wait::request);
  while (!has_finished()) block();
  return true;
}

/// What is over at this very moment counts, whoever runs first.
bool SimGridRank::tests() {
  settle();
  if (!has_finished()) messaging_.finished = 1, messaging_.requests.clear();
  return true;
}

/// Who comes at this very moment has come when all has settled; then the first of them goes, by index.
bool SimGridRank::takes_turn() {
  const Doing doing(*this, Wait::turn);
  std::set<int>& waiting = replication_.at_desk_;
  waiting.insert(index());
  do settle();
  while (*waiting.begin() != index());
  waiting.erase(index());
  return true;
}

std::any& SimGridRank::desk() { return replication_.desk_; }

void SimGridRank::notice_end(RequestId request) {
  if (doing_ == Wait::request && std::ranges::find(messaging_.requests, request) != messaging_.requests.end()) wake();
}

// ---- actors that carry messages -----------------------------------------------------------------------------------

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
    SimGridReplication& all = message_actors.replication_;
    do_later([&all, to = c.to, sender = c.sender, replication = all.clock_.origin.replication] {
      if (!all.clock_.is_running(replication)) return;
      to->notice(sender);
      all.end_if_over();
    });
  }
};

void MessageActors::send_off(SimGridRank& from, SimGridRank& to, std::uint64_t id, double bytes, bool is_exchange) {
  if (!is_exchange && !to.machine()->is_on()) {  // a carrier that ends before it is a daemon counts as one for ever
    to.mailbox().withdraw(from.index(), id);
    return;
  }
  ++in_flight_;
  MessageActor* carrier = idle_or_new(from.index());
  *carrier = {carrier->actor, from.machine(), &to, from.index(), id, bytes, from.now(), is_exchange};
  if (carrier->actor) return carrier->actor->resume();
  carrier->actor = simgrid_version::start_actor("courier of rank " + std::to_string(carrier->sender), carrier->from,
                                                [this, carrier] { be_message_actor(carrier); });
  carrier->actor->daemonize();
}

MessageActors::MessageActor* MessageActors::idle_or_new(int sender) {
  auto& idle = idle_[static_cast<std::size_t>(sender)];
  if (anew_ || idle.empty()) return message_actors_.emplace_back(std::make_unique<MessageActor>()).get();
  MessageActor* carrier = idle.back();
  idle.pop_back();
  return carrier;
}

void MessageActors::be_message_actor(MessageActor* carrier) {
  const BatchClock& clock = replication_.clock_;
  for (;;) {
    if (carrier->is_exchange) carry_exchange(*carrier);
    else carry(*carrier);
    replication_.end_if_over();
    if (anew_ || clock.over) return;
    idle_[static_cast<std::size_t>(carrier->sender)].push_back(carrier);
    s4u::this_actor::suspend();
    if (clock.over) return;
  }
}

void MessageActors::carry_exchange(MessageActor& carrier) {
  bool has_failed = false;
  try {
    s4u::Comm::sendto(carrier.from, carrier.to->machine(), countable_bytes(carrier.bytes));
    carrier.to->tell_carried(carrier.sender, carrier.to->index(), carrier.bytes, carrier.begin_s, carrier.to->now());
  } catch (const simgrid::NetworkFailureException&) {
    has_failed = true;
  }
  --in_flight_;
  const auto send = static_cast<RequestId>(carrier.id);
  for (const auto& [request, whose] : std::vector(replication_.queues_->end(send, carrier.to->now(), has_failed)))
    replication_.rank(whose).notice_end(request);
}

void MessageActors::carry(MessageActor& carrier) {
  Journey journey{*this, carrier};
  SimGridRank& to = *carrier.to;
  try {
    if (!to.machine()->is_on()) return;
    s4u::Comm::sendto(carrier.from, to.machine(), countable_bytes(carrier.bytes));
  } catch (const simgrid::NetworkFailureException&) {  // the message is lost, as on a real network
    return;
  }
  journey.arrived = true;
  to.mailbox().arrive(carrier.sender, carrier.id, to.now());
  to.tell_carried(carrier.sender, to.index(), carrier.bytes, carrier.begin_s, to.now());
  to.notice(carrier.sender);
}

}  // namespace nowsim
