// Events in their order, with the next one at hand: what happens at once need not go through a heap.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace nowsim {

/// A priority queue that gives the least first. What is the least when it is put in is kept apart, and costs nothing to
/// take out again: most of what ranks do, they do now.
template <class Event>
class EventQueue {
 public:
  [[nodiscard]] bool empty() const { return !has_first_ && others_.empty(); }
  [[nodiscard]] std::size_t size() const { return others_.size() + (has_first_ ? 1 : 0); }
  [[nodiscard]] const Event& top() const { return has_first_ ? first_ : others_.top(); }
  void push(const Event& event) {
    if (has_first_ ? event > first_ : !others_.empty() && event > others_.top()) return others_.push(event);
    if (std::exchange(has_first_, true)) others_.push(first_);
    first_ = event;
  }
  void pop() {
    if (!std::exchange(has_first_, false)) others_.pop();
  }

 private:
  bool has_first_ = false;
  Event first_{};  ///< if there is one: none of the others is less
  std::priority_queue<Event, std::vector<Event>, std::greater<>> others_;
};

}  // namespace nowsim
