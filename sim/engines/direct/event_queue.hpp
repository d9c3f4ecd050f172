// Events in their order, the next ones at hand: most of what happens soon need not go through a heap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

namespace nowsim {

/// A priority queue that gives the least first. The next few are kept sorted, apart from a heap of all others: what is
/// put in among them moves those before it, and taking the least out costs nothing.
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

}  // namespace nowsim
