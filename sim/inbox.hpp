// The messages that have been sent to one rank and not yet received: which one a receive gets, on either engine.
#pragma once

#include <algorithm>
#include <any>
#include <cmath>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace nowsim {

/// A message on its way to a rank.
struct Envelope {
  std::uint64_t id = 0;
  int from = -1;
  double bytes = 0;
  bool buffered = false;  ///< travels by itself; otherwise a rendezvous that its sender waits for
  std::any content;
  double since_s = 0;     ///< set by Inbox::take: when it could first be taken
};

/// Messages of one sender are received in the order sent; among senders, those that became available first are taken
/// first: a rendezvous when it is offered, a buffered message when it has arrived.
class Inbox {
 public:
  /// A rendezvous is offered at `now_s`.
  void offer(Envelope envelope, double now_s) {
    auto& queue = from_[envelope.from];
    queue.push_back({std::move(envelope), now_s, true});
    if (queue.size() == 1) expose(queue);
  }
  /// A buffered message starts to travel.
  void depart(Envelope envelope) { from_[envelope.from].push_back({std::move(envelope), 0, false}); }
  /// A buffered message has arrived. Nothing happens where it has been forgotten.
  void arrive(int from, std::uint64_t id, double now_s) {
    auto& queue = from_[from];
    for (std::size_t i = 0; i < queue.size(); ++i)
      if (queue[i].envelope.id == id) {
        queue[i].available = true;
        queue[i].since_s = now_s;
        if (i == 0) expose(queue);
        return;
      }
  }
  /// Withdraws a message (a rendezvous whose sender is gone, a buffered one that is lost).
  void withdraw(int from, std::uint64_t id) {
    auto& queue = from_[from];
    for (auto it = queue.begin(); it != queue.end(); ++it)
      if (it->envelope.id == id) {
        const bool was_head = it == queue.begin();
        if (was_head) hide(queue);
        queue.erase(it);
        if (was_head) expose(queue);
        return;
      }
  }
  /// Drops what has arrived or is under way in this rank's memory; offers stay with their senders.
  void forget_buffered() {
    for (auto& [from, queue] : from_) {
      hide(queue);
      std::erase_if(queue, [](const Entry& e) { return e.envelope.buffered; });
      expose(queue);
    }
  }

  /// Whether a message can be taken: from one rank, or from any where `from` < 0.
  [[nodiscard]] bool has(int from) const {
    if (from < 0) return !heads_.empty();
    const auto it = from_.find(from);
    return it != from_.end() && !it->second.empty() && it->second.front().available;
  }
  /// What becomes available until then counts as simultaneous with what did at `since_s`.
  static double latest_tie(double since_s) { return since_s + 1e-9 * std::abs(since_s); }
  /// Whether the first message that can be taken has come just now, so that others may yet come at the same time.
  [[nodiscard]] bool may_tie(double now_s) const {
    return !heads_.empty() && now_s <= latest_tie(heads_.begin()->first);
  }
  /// Whether several messages that can be taken became so at the same moment as the first.
  [[nodiscard]] bool is_tied() const {
    return heads_.size() > 1 && std::next(heads_.begin())->first <= latest_tie(heads_.begin()->first);
  }
  /// Takes one, if it can be. Messages that became available within a relative 1e-9 of the first are simultaneous:
  /// the lowest sender's goes first, or schedules would flip between engines.
  std::optional<Envelope> take(int from) {
    if (!has(from)) return std::nullopt;
    auto& queue = from_[from < 0 ? first_sender() : from];
    hide(queue);
    Envelope envelope = std::move(queue.front().envelope);
    const double since_s = envelope.since_s = queue.front().since_s;
    queue.pop_front();
    if (!queue.empty()) queue.front().since_s = std::max(queue.front().since_s, since_s);
    expose(queue);
    return envelope;
  }

 private:
  struct Entry {
    Envelope envelope;
    double since_s;
    bool available;
  };
  using Queue = std::deque<Entry>;

  [[nodiscard]] int first_sender() const {
    auto [since, best] = *heads_.begin();
    const double latest = latest_tie(since);
    for (auto it = heads_.begin(); it != heads_.end() && it->first <= latest; ++it)
      if (it->second < best) best = it->second;
    return best;
  }
  /// A queue's head enters heads_ when it is available, so nothing is older there than what was sent before it.
  void expose(const Queue& queue) {
    if (!queue.empty() && queue.front().available) heads_.emplace(queue.front().since_s, queue.front().envelope.from);
  }
  void hide(const Queue& queue) {
    if (!queue.empty()) heads_.erase({queue.front().since_s, queue.front().envelope.from});
  }

  std::map<int, Queue> from_;
  std::set<std::pair<double, int>> heads_;  // (available since, sender)
};

}  // namespace nowsim
