// The messages with tags of all ranks of a job: which receive takes which, and what their requests have come to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/engines/ranks/mailbox.hpp"
#include "sim/program/rank_operations.hpp"

namespace nowsim {

/// Posted sends and receives of either engine. A receive takes the first message that was posted of its sender, or of any,
/// and of its tag; a message goes to the first receive that was posted and would take it: as MPI has it.
class MatchingQueues {
 public:
  /// A message that begins to travel just now, by the request of its send.
  struct Departure {
    RequestId send;
    int from, to;
    double bytes;
  };
  /// A request that is over just now, and whose it is.
  struct Ended {
    RequestId request;
    int rank;
  };

  explicit MatchingQueues(std::size_t ranks) : of_(ranks) {}
  void clear() {
    for (Waiting& it : of_) it = {};
    ties_ = 0;
    entries_.clear();
    order_ = 0;
  }

  /// Posts, in the order in which ranks do. What begins to travel is a departure.
  RequestId post(int rank, const Posting& posting, double now_s, std::optional<Departure>& departs) {
    const std::uint32_t at = entries_.enter({.bytes = posting.bytes, .posted_s = now_s, .order = order_++, .rank = rank,
                                             .peer = posting.peer, .tag = posting.tag, .mode = posting.mode,
                                             .is_send = posting.is_send});
    return posting.is_send ? post_send(at, posting, now_s, departs) : post_receive(at, posting, now_s, departs);
  }

  [[nodiscard]] bool is_over(RequestId request) const { return entries_[request].is_over; }
  /// Since when it is over.
  [[nodiscard]] double over_s(RequestId request) const { return entries_[request].over_s; }
  [[nodiscard]] bool has_failed(RequestId request) const { return entries_[request].has_failed; }
  /// What it is about, over or not.
  [[nodiscard]] Exchanged about(RequestId request) const {
    const Entry& it = entries_[request];
    return {it.peer, it.tag, it.bytes};
  }
  [[nodiscard]] bool is_send(RequestId request) const { return entries_[request].is_send; }
  /// Between which ranks a message travels.
  [[nodiscard]] std::pair<int, int> ends_of(RequestId send) const { return {entries_[send].rank, entries_[send].peer}; }
  /// What it has come to; it is free then.
  Exchanged take(RequestId request) {
    const Exchanged out = about(request);
    entries_.release(request);
    return out;
  }

  /// Decisions so far between messages to a receive from any rank that were posted at the same moment, which another
  /// engine may take otherwise.
  [[nodiscard]] std::uint64_t ties() const { return ties_; }

  /// A message has arrived, or failed with its network. What is over then; valid until the next call.
  const std::vector<Ended>& end(RequestId send, double now_s, bool has_failed) {
    ended_.clear();
    Entry& it = entries_[send];
    const RequestId receive = it.partner;
    it.has_arrived = true;
    it.has_failed = has_failed;
    if (receive != kNone) {
      entries_[receive].has_failed = has_failed;
      conclude(receive, now_s);
    }
    if (it.mode == SendMode::rendezvous) conclude(send, now_s);
    else if (receive != kNone) entries_.release(send);
    return ended_;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Entry {
    double bytes;
    double over_s = 0;
    double posted_s;
    std::uint64_t order;
    int rank;
    int peer;
    int tag;
    std::uint32_t next = kNone;
    std::uint32_t partner = kNone;  ///< the other end, once it is known
    SendMode mode;
    bool is_send;
    bool has_arrived = false, is_over = false, has_failed = false;
  };
  using Queue = Chains<Entry>::Queue;  ///< in the order posted
  struct Waiting {
    IntMap<Queue> sends, receives;
    Queue receives_of_any;
    double any_met_s = -kInfinity;  ///< when a message last met a receive from any rank that had waited for it
  };
  /// A place in a queue.
  struct Found {
    Queue* queue = nullptr;
    std::uint32_t before = kNone, at = kNone;
  };

  /// A receive of any tag takes those that are not negative, which programs leave to what is built of messages.
  static bool do_meet(int a, int b) { return a == b || (a == kAnyTag && b >= 0) || (b == kAnyTag && a >= 0); }
  /// The first of a queue, posted before another one, in which a send and a receive of these tags meet.
  Found first_of(Queue& queue, int tag, const Found& other) {
    const std::uint64_t latest = other.at == kNone ? std::numeric_limits<std::uint64_t>::max() : entries_[other.at].order;
    for (std::uint32_t before = kNone, at = queue.head; at != kNone; before = at, at = entries_[at].next) {
      if (entries_[at].order > latest) break;
      if (do_meet(tag, entries_[at].tag)) return {&queue, before, at};
    }
    return other;
  }

  /// Of all senders the message that was posted first; of those of one moment the lowest sender's.
  Found first_of_any(Waiting& here, int tag) {
    Found first;
    bool is_tied = false;
    here.sends.for_each([&](Queue& queue) {
      const Found head = first_of(queue, tag, {});
      if (head.at == kNone) return;
      const Entry& it = entries_[head.at];
      if (first.at == kNone) {
        first = head;
        return;
      }
      const Entry& other = entries_[first.at];
      const bool at_once = std::max(it.posted_s, other.posted_s) <= Mailbox::latest_tie(std::min(it.posted_s, other.posted_s));
      is_tied = at_once || (is_tied && it.posted_s > other.posted_s);
      if (at_once ? it.rank < other.rank : it.posted_s < other.posted_s) first = head;
    });
    ties_ += is_tied ? 1 : 0;
    return first;
  }

  RequestId post_send(std::uint32_t send, const Posting& posting, double now_s, std::optional<Departure>& departs) {
    const int rank = entries_[send].rank;
    Waiting& at_receiver = of_[static_cast<std::size_t>(posting.peer)];
    if (now_s <= Mailbox::latest_tie(at_receiver.any_met_s)) ++ties_;
    Found found;
    if (Queue* from_here = at_receiver.receives.find(rank)) found = first_of(*from_here, posting.tag, found);
    found = first_of(at_receiver.receives_of_any, posting.tag, found);
    if (found.at != kNone) {
      if (entries_[found.at].peer < 0) at_receiver.any_met_s = now_s;
      entries_.unlink(*found.queue, found.before, found.at);
      meet(send, found.at);
    } else {
      entries_.append(at_receiver.sends[rank], send);
    }
    if (found.at != kNone || posting.mode == SendMode::eager) departs = {send, rank, posting.peer, posting.bytes};
    return posting.mode == SendMode::rendezvous ? send : kNoRequest;
  }

  RequestId post_receive(std::uint32_t receive, const Posting& posting, double now_s,
                         std::optional<Departure>& departs) {
    const int rank = entries_[receive].rank;
    Waiting& here = of_[static_cast<std::size_t>(rank)];
    Found found;
    if (posting.peer >= 0) {
      if (Queue* from_there = here.sends.find(posting.peer)) found = first_of(*from_there, posting.tag, found);
    } else {
      found = first_of_any(here, posting.tag);
    }
    if (found.at == kNone) {
      entries_.append(posting.peer >= 0 ? here.receives[posting.peer] : here.receives_of_any, receive);
      return receive;
    }
    entries_.unlink(*found.queue, found.before, found.at);
    meet(found.at, receive);
    const Entry& send = entries_[found.at];
    if (send.mode != SendMode::eager) {
      departs = {found.at, send.rank, rank, send.bytes};
    } else if (send.has_arrived) {
      entries_[receive].has_failed = send.has_failed;
      entries_[receive].is_over = true;
      entries_[receive].over_s = now_s;
      entries_.release(found.at);
    }
    return receive;
  }

  void meet(std::uint32_t send, std::uint32_t receive) {
    entries_[send].partner = receive;
    Entry& it = entries_[receive];
    it.partner = send;
    it.peer = entries_[send].rank;
    it.tag = entries_[send].tag;
    it.bytes = entries_[send].bytes;
  }
  void conclude(std::uint32_t at, double now_s) {
    entries_[at].is_over = true;
    entries_[at].over_s = now_s;
    ended_.push_back({at, entries_[at].rank});
  }

  std::vector<Waiting> of_;
  Chains<Entry> entries_;
  std::uint64_t order_ = 0;
  std::vector<Ended> ended_;
  std::uint64_t ties_ = 0;
};

}  // namespace nowsim
