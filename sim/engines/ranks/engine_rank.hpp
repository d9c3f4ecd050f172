// What ranks of both engines share: what they refuse of a program's operations, count and hand over.
#pragma once

#include <any>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/engines/ranks/inbox.hpp"
#include "sim/engines/ranks/operation_checks.hpp"
#include "sim/engines/ranks/wait_reasons.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// What only ranks need that send or receive.
struct Mailbox {
  int peer = Rank::kAnyRank;            ///< of the operation at hand: to whom, from whom
  int failed_with = -1;                 ///< whose message has failed while it was received
  double messages = 0, sent_bytes = 0;  ///< sent so far
  std::optional<Message> received;
  Inbox inbox;
};

/// What only ranks need whose machines switch off and on.
struct Restarts {
  double kept_work_flop = 0, kept_active_s = 0;  ///< Rank::keep_work()
  std::uint64_t barriers = 0;                    ///< called since it began
  int count = 0;                                 ///< since work was kept
};

/// A rank of an engine. Its class, Engine, says how bytes travel and how a rank waits, each true when it is over already
/// and false when the rank will be resumed:
/// - computes(flop), more than 0; sleeps_until(date_s); waits_at_barrier(cost_s); transfers(bytes), over its own path;
/// - sends(envelope, timeout_s): to mailbox().peer, a message that has been counted;
/// - receives(timeout_s): from mailbox().peer, ending with deliver(), or mailbox().failed_with;
/// and where things are: mailbox(), platform(), next_message_id().
template <class Engine>
class EngineRank : public Rank {
 public:
  /// Whether it waits for a message from this sender.
  [[nodiscard]] bool awaits(int from) {
    return doing_ == Wait::receive_any || (doing_ == Wait::receive && self().mailbox().peer == from);
  }

 protected:
  using Rank::Rank;

  /// What a receive ends with.
  void deliver(Envelope&& envelope) {
    self().mailbox().received = Message{envelope.from, envelope.bytes, std::move(envelope.content)};
  }
  /// To whom it may concern: a message of the envelope's size has travelled.
  void tell_carried(int from, int to, double bytes, double begin_s, double end_s) const {
    if (RankObserver* o = observer()) [[unlikely]] o->carries(from, to, whole_bytes(bytes), begin_s, end_s);
  }

  Wait doing_ = Wait::nothing;

 private:
  Engine& self() { return static_cast<Engine&>(*this); }

  /// A time-out that lasts a little longer, so that what comes at its very end comes in time on both engines, however
  /// they have rounded the two dates.
  [[nodiscard]] double patience(double timeout_s) const {
    constexpr double kRounding = 1e-10;
    return timeout_s > 0 ? timeout_s + kRounding * (now() + timeout_s) : 0;
  }
  bool begin_compute(double flop) final {
    check_amount(index(), flop, "compute");
    return flop == 0 || self().computes(flop);
  }
  bool begin_sleep_until(double date_s) final {
    check_date(index(), date_s);
    return self().sleeps_until(date_s);
  }
  bool begin_barrier(double cost_s) final { return self().waits_at_barrier(cost_s); }
  bool begin_transfer(double bytes) final {
    check_bytes(index(), bytes, "transfer");
    check_network(self().platform());
    note_delivery(Sent::done);
    return self().transfers(whole_bytes(bytes));
  }
  bool begin_send(int to, double bytes, std::any content, bool buffered, double timeout_s) final {
    check_bytes(index(), bytes, "send");
    check_timeout(index(), timeout_s);
    check_receiver(index(), to, count(), buffered);
    check_network(self().platform());
    Mailbox& mailbox = self().mailbox();
    mailbox.messages += 1;
    mailbox.sent_bytes += whole_bytes(bytes);
    mailbox.peer = to;
    note_delivery(Sent::done);
    return self().sends({self().next_message_id(), index(), bytes, buffered, std::move(content)}, patience(timeout_s));
  }
  bool begin_receive(int from, double timeout_s) final {
    check_receive(index(), from, count(), timeout_s);
    Mailbox& mailbox = self().mailbox();
    mailbox.peer = from;
    mailbox.received.reset();
    return self().receives(patience(timeout_s));
  }
  std::optional<Message> take_received() final {
    Mailbox& mailbox = self().mailbox();
    if (const int from = std::exchange(mailbox.failed_with, -1); from >= 0) fail_receive(from);
    return std::exchange(mailbox.received, std::nullopt);
  }
};

}  // namespace nowsim
