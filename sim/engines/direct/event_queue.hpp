// What happens next: events in their order, the next ones at hand; and dates that may change until then.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace nowsim {

/// A priority queue that gives the least first. The next few are kept sorted, apart from a heap of all others, which
/// most of what happens soon need not go through: what is put in among them moves those before it, and taking the least
/// out costs nothing.
template <class Event>
class EventQueue {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0 && far_.empty(); }
  [[nodiscard]] std::size_t size() const { return far_.size() + count_; }
  [[nodiscard]] const Event& top() const { return count_ > 0 ? near_[count_ - 1] : far_.top(); }
  void push(const Event& event) {
    if (count_ == kNear && !(event > near_[0])) make_room();
    if (is_far(event)) return far_.push(event);
    std::size_t k = count_++;
    for (; k > 0 && event > near_[k - 1]; --k) near_[k] = near_[k - 1];
    near_[k] = event;
  }
  void pop() {
    if (count_ > 0) --count_;
    else far_.pop();
  }

 private:
  static constexpr std::size_t kNear = 32;

  [[nodiscard]] bool is_far(const Event& event) const {
    if (count_ == 0) return !far_.empty() && event > far_.top();
    return event > near_[0] && (count_ == kNear || !far_.empty());
  }
  /// The later half of the near ones joins the others.
  void make_room() {
    const auto half = near_.begin() + kNear / 2;
    for (auto it = near_.begin(); it != half; ++it) far_.push(*it);
    std::copy(half, near_.end(), near_.begin());
    count_ = kNear / 2;
  }

  std::array<Event, kNear> near_;  ///< the latest first: none of the others is less than that
  std::size_t count_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> far_;
};

/// A heap in which each entry can be moved or taken out: numbers that the caller gives, small ones, each at most once.
class DateHeap {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  /// The entry with the least date; of equal dates any. Not to be asked when empty, as top_s().
  [[nodiscard]] std::uint32_t top() const { return heap_.front().entry; }
  [[nodiscard]] double top_s() const { return heap_.front().date_s; }

  /// Puts an entry in, or gives it another date.
  void set(std::uint32_t entry, double date_s) {
    if (entry >= place_.size()) place_.resize(entry + 1, kNowhere);
    std::size_t at = place_[entry];
    if (at == kNowhere) {
      at = heap_.size();
      heap_.push_back({date_s, entry});
      return rise(at);
    }
    const bool is_sooner = date_s < heap_[at].date_s;
    heap_[at].date_s = date_s;
    if (is_sooner) rise(at);
    else sink(at);
  }
  /// Takes an entry out, if it is in.
  void remove(std::uint32_t entry) {
    if (entry >= place_.size() || place_[entry] == kNowhere) return;
    const std::size_t at = place_[entry];
    place_[entry] = kNowhere;
    const Node last = heap_.back();
    heap_.pop_back();
    if (at == heap_.size()) return;
    const bool is_sooner = last.date_s < heap_[at].date_s;
    put(at, last);
    if (is_sooner) rise(at);
    else sink(at);
  }
  void clear() {
    for (const Node& node : heap_) place_[node.entry] = kNowhere;
    heap_.clear();
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  static constexpr std::size_t kChildren = 4;  // a shallower heap touches fewer lines of the cache
  struct Node {
    double date_s;
    std::uint32_t entry;
  };
  void put(std::size_t at, const Node& node) {
    heap_[at] = node;
    place_[node.entry] = at;
  }
  void rise(std::size_t at) {
    const Node node = heap_[at];
    for (; at > 0; at = (at - 1) / kChildren) {
      const Node& above = heap_[(at - 1) / kChildren];
      if (above.date_s <= node.date_s) break;
      put(at, above);
    }
    put(at, node);
  }
  void sink(std::size_t at) {
    const Node node = heap_[at];
    for (;;) {
      std::size_t least = kChildren * at + 1;
      if (least >= heap_.size()) break;
      const std::size_t end = least + kChildren < heap_.size() ? least + kChildren : heap_.size();
      for (std::size_t k = least + 1; k < end; ++k)
        if (heap_[k].date_s < heap_[least].date_s) least = k;
      if (heap_[least].date_s >= node.date_s) break;
      put(at, heap_[least]);
      at = least;
    }
    put(at, node);
  }

  std::vector<Node> heap_;
  std::vector<std::size_t> place_;  ///< of each entry in heap_
};

}  // namespace nowsim
