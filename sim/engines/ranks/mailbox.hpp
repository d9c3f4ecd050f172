// The messages that have been sent to one rank and not yet received: which one a receive gets, on either engine.
#pragma once

#include <algorithm>
#include <any>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace nowsim {

/// A map from numbers (not negative) in a table of twice as many places at least, probed one after another.
template <class Kept>
class IntMap {
 public:
  [[nodiscard]] const Kept* find(int key) const {
    if (places_.empty()) return nullptr;
    const Place& at = places_[place_of(key)];
    return at.key == key ? &at.kept : nullptr;
  }
  [[nodiscard]] Kept* find(int key) { return const_cast<Kept*>(std::as_const(*this).find(key)); }
  Kept& operator[](int key) {
    if (places_.size() < 2 * (count_ + 1)) grow();
    Place& at = places_[place_of(key)];
    if (at.key != key) {
      at.key = key;
      ++count_;
    }
    return at.kept;
  }
  template <class Action>
  void for_each(Action action) {
    for (Place& at : places_)
      if (at.key >= 0) action(at.kept);
  }

 private:
  struct Place {
    int key = -1;
    Kept kept;
  };
  /// Where it is, or belongs.
  [[nodiscard]] std::size_t place_of(int key) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = static_cast<std::size_t>(key) & mask;
    while (places_[at].key >= 0 && places_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    const std::vector<Place> before(std::exchange(places_, {}));
    places_.resize(std::max<std::size_t>(2, 2 * before.size()));
    for (const Place& it : before)
      if (it.key >= 0) places_[place_of(it.key)] = it;
  }

  std::vector<Place> places_;  ///< a power of two of them
  std::size_t count_ = 0;
};

/// Queues of entries, each with the `next` in its queue, in memory that is used again.
template <class Entry>
class Chains {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Queue {
    std::uint32_t head = kNone, tail = kNone;
  };
  [[nodiscard]] Entry& operator[](std::uint32_t at) { return entries_[at]; }
  [[nodiscard]] const Entry& operator[](std::uint32_t at) const { return entries_[at]; }
  /// The place that an entry has until it is released, in no queue yet.
  std::uint32_t enter(Entry&& entry) {
    if (free_ == kNone) {
      entries_.push_back(std::move(entry));
      return static_cast<std::uint32_t>(entries_.size() - 1);
    }
    const std::uint32_t at = std::exchange(free_, entries_[free_].next);
    entries_[at] = std::move(entry);
    return at;
  }
  void append(Queue& queue, std::uint32_t at) {
    (queue.head == kNone ? queue.head : entries_[queue.tail].next) = at;
    queue.tail = at;
  }
  /// Takes an entry out of its queue; `before` is the one before it there.
  void unlink(Queue& queue, std::uint32_t before, std::uint32_t at) {
    (before == kNone ? queue.head : entries_[before].next) = entries_[at].next;
    if (queue.tail == at) queue.tail = before;
    entries_[at].next = kNone;
  }
  void release(std::uint32_t at) { entries_[at].next = std::exchange(free_, at); }
  void clear() {
    entries_.clear();
    free_ = kNone;
  }

 private:
  std::vector<Entry> entries_;
  std::uint32_t free_ = kNone;  ///< the first of those that hold nothing
};

/// A message on its way to a rank.
struct Envelope {
  std::uint64_t id = 0;
  int from = -1;
  double bytes = 0;
  bool buffered = false;  ///< travels by itself; otherwise a rendezvous that its sender waits for
  std::any content;
  double since_s = 0;     ///< set by Mailbox::take: when it could first be taken
};

/// Messages of one sender are received in the order sent; among senders, those that became available first are taken
/// first: a rendezvous when it is offered, a buffered message when it has arrived.
class Mailbox {
 public:
  /// A rendezvous is offered at `now_s`.
  void offer(Envelope envelope, double now_s) { append({std::move(envelope), now_s, true}); }
  /// A buffered message starts to travel.
  void depart(Envelope envelope) { append({std::move(envelope), 0, false}); }
  /// A buffered message has arrived. Nothing happens where it has been forgotten.
  void arrive(int from, std::uint64_t id, double now_s) {
    const Queue& queue = from_[from];
    for (std::uint32_t at = queue.head; at != kNone; at = entries_[at].next)
      if (Entry& entry = entries_[at]; entry.envelope.id == id) {
        entry.available = true;
        entry.since_s = now_s;
        if (at == queue.head) expose(queue);
        return;
      }
  }
  /// Withdraws a message (a rendezvous whose sender is gone, a buffered one that is lost).
  void withdraw(int from, std::uint64_t id) {
    drop(from_[from], [id](const Envelope& e) { return e.id == id; });
  }
  /// Drops what has arrived or is under way in this rank's memory; offers stay with their senders.
  void forget_buffered() {
    from_.for_each([this](Queue& queue) { drop(queue, [](const Envelope& e) { return e.buffered; }); });
  }

  /// Whether a message can be taken: from one rank, or from any where `from` < 0.
  [[nodiscard]] bool has(int from) const {
    if (from < 0) return first_.has_value();
    const Queue* queue = from_.find(from);
    return queue != nullptr && queue->head != kNone && entries_[queue->head].available;
  }
  /// What becomes available until then counts as simultaneous with what did at `since_s`.
  static double latest_tie(double since_s) { return since_s + 1e-9 * std::abs(since_s); }
  /// Whether the first message that can be taken has come just now, so that others may yet come at the same time.
  [[nodiscard]] bool may_tie(double now_s) const {
    return first_ && now_s <= latest_tie(first_->first);
  }
  /// Whether several messages that can be taken became so at the same moment as the first.
  [[nodiscard]] bool is_tied() const {
    return !others_.empty() && others_.begin()->first <= latest_tie(first_->first);
  }
  /// Takes one, if it can be. Messages that became available within a relative 1e-9 of the first are simultaneous:
  /// the lowest sender's goes first, or schedules would flip between engines.
  std::optional<Envelope> take(int from) {
    if (!has(from)) return std::nullopt;
    Queue& queue = from_[from < 0 ? first_sender() : from];
    hide(queue);
    Entry& entry = entries_[queue.head];
    std::optional<Envelope> envelope(std::move(entry.envelope));
    envelope->since_s = entry.since_s;
    drop_from(queue, kNone, queue.head);
    if (queue.head != kNone) entries_[queue.head].since_s = std::max(entries_[queue.head].since_s, envelope->since_s);
    expose(queue);
    return envelope;
  }

 private:
  struct Entry {
    Envelope envelope;
    double since_s;
    bool available;
    std::uint32_t next = std::numeric_limits<std::uint32_t>::max();
  };
  using Queue = Chains<Entry>::Queue;  ///< of one sender
  static constexpr std::uint32_t kNone = Chains<Entry>::kNone;
  using Head = std::pair<double, int>;

  [[nodiscard]] int first_sender() const {
    auto [since, best] = *first_;
    const double latest = latest_tie(since);
    for (auto it = others_.begin(); it != others_.end() && it->first <= latest; ++it)
      if (it->second < best) best = it->second;
    return best;
  }
  void put_head(const Head& head) {
    if (spare_.empty()) {
      others_.insert(head);
    } else {
      spare_.back().value() = head;
      others_.insert(std::move(spare_.back()));
      spare_.pop_back();
    }
  }
  void append(Entry entry) {
    Queue& queue = from_[entry.envelope.from];
    const std::uint32_t at = entries_.enter(std::move(entry));
    entries_.append(queue, at);
    if (at == queue.head) expose(queue);
  }
  void drop_from(Queue& queue, std::uint32_t before, std::uint32_t at) {
    entries_.unlink(queue, before, at);
    entries_[at].envelope.content.reset();
    entries_.release(at);
  }
  template <class IsDropped>
  void drop(Queue& queue, IsDropped is_dropped) {
    hide(queue);
    for (std::uint32_t before = kNone, at = queue.head; at != kNone;) {
      const std::uint32_t next = entries_[at].next;
      if (is_dropped(entries_[at].envelope)) drop_from(queue, before, at);
      else before = at;
      at = next;
    }
    expose(queue);
  }
  /// A queue's head is among the heads once it is available, so nothing is older there than what was sent before it.
  void expose(const Queue& queue) {
    if (queue.head == kNone || !entries_[queue.head].available) return;
    const Head head = head_of(queue);
    if (!first_) first_ = head;
    else put_head(head < *first_ ? std::exchange(*first_, head) : head);
  }
  void hide(const Queue& queue) {
    if (queue.head == kNone || !entries_[queue.head].available) return;
    if (const Head head = head_of(queue); head != *first_) {
      spare_.push_back(others_.extract(head));
    } else if (others_.empty()) {
      first_.reset();
    } else {
      first_ = *others_.begin();
      spare_.push_back(others_.extract(others_.begin()));
    }
  }
  /// Since when it has been available, and its sender.
  [[nodiscard]] Head head_of(const Queue& queue) const {
    return {entries_[queue.head].since_s, entries_[queue.head].envelope.from};
  }

  IntMap<Queue> from_;
  Chains<Entry> entries_;
  std::optional<Head> first_;   ///< of the heads that are available; mostly there is one, which costs no tree
  std::set<Head> others_;
  std::vector<std::set<Head>::node_type> spare_;  ///< memory for more heads
};

}  // namespace nowsim
