// What ranks of both engines share: what they refuse of a program's operations, count and hand over; barriers.
#pragma once

#include <algorithm>
#include <any>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/engines/ranks/diagnostics.hpp"
#include "sim/engines/ranks/mailbox.hpp"
#include "sim/engines/ranks/matching_queues.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// Where the ranks of a job wait for each other, round after round.
class JobBarrier {
 public:
  /// What becomes of a rank that arrives.
  enum class Arrival { waits, is_last, passes };

  /// @param called how many barriers the rank has called since it began; null where ranks never begin again. One that
  /// began again passes those that are over.
  /// @throws std::invalid_argument where it asks for another cost than those who wait: it has to be the same for all.
  Arrival arrive(int rank, double cost_s, std::uint64_t* called, std::size_t ranks) {
    const bool is_over = called != nullptr && *called < round_;
    if (!is_over && waiting_.empty()) cost_s_ = cost_s;
    check_amount(rank, cost_s, "wait at a barrier for");
    if (!is_over && cost_s != cost_s_)
      throw std::invalid_argument(rank_text(rank) + " asks for a barrier that costs " + short_number(cost_s) +
                                  " s, others for one of " + short_number(cost_s_) + " s: all must ask for the same");
    if (called != nullptr) ++*called;
    if (is_over) return Arrival::passes;
    waiting_.push_back(rank);
    return waiting_.size() < ranks ? Arrival::waits : Arrival::is_last;
  }
  /// Ends the round. Who waited, in the order of arrival; there until the next round ends.
  std::vector<int>& release() {
    ++round_;
    std::swap(waiting_, released_);
    waiting_.clear();
    return released_;
  }
  /// Rounds that are over.
  [[nodiscard]] std::uint64_t round() const { return round_; }
  /// A rank no longer waits: its machine was switched off.
  void leave(int rank) { std::erase(waiting_, rank); }
  /// Nobody waits any more.
  void clear() { waiting_.clear(); }
  /// For another replication.
  void begin_again() {
    waiting_.clear();
    round_ = 0;
  }

 private:
  std::vector<int> waiting_, released_;
  std::uint64_t round_ = 0;
  double cost_s_ = 0;  ///< of those who wait
};

/// What only ranks need that send or receive.
struct Messaging {
  int peer = Rank::kAnyRank;            ///< of the operation at hand: to whom, from whom
  int failed_with = -1;                 ///< whose message has failed while it was received
  double messages = 0, sent_bytes = 0;  ///< sent so far
  std::optional<Message> received;
  Mailbox mailbox;
  // Of messages with tags:
  Posting posting{};                 ///< at hand
  bool waits_for_posted = false;     ///< and whether until it is over
  RequestId posted = kNoRequest;
  std::vector<RequestId> requests;     ///< of which it waits for one
  std::size_t finished = 0;          ///< the place of the one that is over
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
/// - sends(envelope, timeout_s): to messaging().peer, a message that has been counted;
/// - receives(timeout_s): from messaging().peer, ending with deliver(), or messaging().failed_with;
/// - posts(): messaging().posting, whose request it leaves in messaging().posted;
/// - finishes(): one of messaging().requests, whose place it leaves in messaging().finished;
/// - tests(): the first of these; whether it is over messaging().finished says;
/// - takes_turn(): at the desk();
/// and where things are: messaging(), platform(), next_message_id(), queues(), which is made where check_stays_on() allows it.
template <class Engine>
class EngineRank : public Rank {
 public:
  /// Whether it waits for a message from this sender.
  [[nodiscard]] bool awaits(int from) {
    return doing_ == Wait::receive_any || (doing_ == Wait::receive && self().messaging().peer == from);
  }

 protected:
  using Rank::Rank;

  /// What a receive ends with.
  void deliver(Envelope&& envelope) {
    self().messaging().received = Message{envelope.from, envelope.bytes, std::move(envelope.content)};
  }
  /// To whom it may concern: a message of the envelope's size has travelled.
  void tell_carried(int from, int to, double bytes, double begin_s, double end_s) const {
    if (RankObserver* o = observer()) [[unlikely]] o->carries(from, to, whole_bytes(bytes), begin_s, end_s);
  }

  Wait doing_ = Wait::nothing;

  /// Who waits for one of messaging().requests has it: its place is noted.
  bool notes_finished(RequestId request) {
    Messaging& messaging = self().messaging();
    for (std::size_t k = 0; k < messaging.requests.size(); ++k)
      if (messaging.requests[k] == request) return messaging.finished = k, true;
    return false;
  }
  /// The first of them that is over already.
  bool has_finished() {
    Messaging& messaging = self().messaging();
    for (std::size_t k = 0; k < messaging.requests.size(); ++k)
      if (self().queues().is_over(messaging.requests[k])) return messaging.finished = k, true;
    return false;
  }
  /// What it waits for while it waits for requests.
  [[nodiscard]] std::string request_text() {
    const std::vector<RequestId>& requests = self().messaging().requests;
    if (requests.size() != 1) return "waits for one of " + std::to_string(requests.size()) + " messages";
    const MatchingQueues& queues = self().queues();
    const Exchanged about = queues.about(requests.front());
    const std::string tag = about.tag == kAnyTag ? "any tag" : "tag " + std::to_string(about.tag);
    return waiting_text(queues.is_send(requests.front()) ? Wait::send : about.peer < 0 ? Wait::receive_any : Wait::receive,
                        about.peer) + " (" + tag + ")";
  }

 private:
  Engine& self() { return static_cast<Engine&>(*this); }
  [[nodiscard]] std::string failed_text(const MatchingQueues& queues, RequestId request) const {
    const int peer = queues.about(request).peer;
    return "the message of " + rank_text(queues.is_send(request) ? index() : peer) + " to " +
           rank_text(queues.is_send(request) ? peer : index()) + " failed with its network";
  }

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
    if (std::isnan(date_s) || date_s == INFINITY) check_amount(index(), date_s, "sleep until");
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
    Messaging& messaging = self().messaging();
    messaging.messages += 1;
    messaging.sent_bytes += whole_bytes(bytes);
    messaging.peer = to;
    note_delivery(Sent::done);
    return self().sends({self().next_message_id(), index(), bytes, buffered, std::move(content)}, patience(timeout_s));
  }
  bool begin_receive(int from, double timeout_s) final {
    check_receive(index(), from, count(), timeout_s);
    Messaging& messaging = self().messaging();
    messaging.peer = from;
    messaging.received.reset();
    return self().receives(patience(timeout_s));
  }
  bool begin_post(const Posting& posting, bool waits) final {
    check_network(self().platform());
    Messaging& messaging = self().messaging();
    if (posting.is_send) {
      check_bytes(index(), posting.bytes, "send");
      check_receiver(index(), posting.peer, count(), true);  // it may have posted the receive
      messaging.messages += 1;
      messaging.sent_bytes += whole_bytes(posting.bytes);
    } else {
      check_receive(index(), posting.peer, count(), kInfinity);
    }
    messaging.posting = posting;
    messaging.waits_for_posted = waits;
    return self().posts();
  }
  RequestId posted() final { return self().messaging().posted; }
  bool begin_finish(std::span<const RequestId> requests) final {
    Messaging& messaging = self().messaging();
    messaging.requests.assign(requests.begin(), requests.end());
    return self().finishes();
  }
  bool begin_test(RequestId request) final {
    self().messaging().requests.assign({request});
    return self().tests();
  }
  bool begin_turn() final {
    check_stays_on(index(), self().platform(), "waits for its turn at a desk");
    return self().takes_turn();
  }
  std::size_t finished() final { return self().messaging().finished; }
  Exchanged take_exchanged() final {
    Messaging& messaging = self().messaging();
    if (messaging.requests.empty()) return {};  // over as soon as it was posted
    const RequestId request = messaging.requests[messaging.finished];
    messaging.requests.clear();
    MatchingQueues& queues = self().queues();
    if (queues.has_failed(request)) [[unlikely]] throw CommunicationFailed(failed_text(queues, request));
    return queues.take(request);
  }
  std::optional<Message> take_received() final {
    Messaging& messaging = self().messaging();
    if (const int from = std::exchange(messaging.failed_with, -1); from >= 0) fail_message(from, index(), "sender");
    return std::exchange(messaging.received, std::nullopt);
  }
};

}  // namespace nowsim
