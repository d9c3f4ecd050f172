// Where one stands on a path: its position, and the step that holds there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/owners/path.hpp"

namespace nowsim {

/// Walks forward along a path. Before the first step it stands as if in one of length 0 in which all is available. Dates
/// [s] are sums of the steps' lengths in their order.
class PathCursor {
 public:
  /// Stands nowhere until a path is given to it.
  PathCursor() = default;
  explicit PathCursor(std::unique_ptr<Path> path) : path_(std::move(path)) {}

  [[nodiscard]] bool has_path() const { return path_ != nullptr; }
  [[nodiscard]] double position_s() const { return position_s_; }
  /// When the step ends; infinite where it holds for ever.
  [[nodiscard]] double end_s() const { return end_s_; }
  [[nodiscard]] double value() const { return value_; }
  /// Whether nothing is left for ever.
  [[nodiscard]] bool is_stuck() const { return value_ <= kLeastAvailability && end_s_ == kInfinity; }

  /// To the end of the step, and into the one that begins there; returns how long that lasts.
  double next_step() {
    const Step step = path_->next();
    position_s_ = end_s_;
    end_s_ += step.duration_s;
    value_ = step.value;
    return step.duration_s;
  }
  /// To a date, and into the step that holds from there on.
  void go_to(double date_s) {
    while (end_s_ <= date_s) next_step();
    position_s_ = date_s;
  }
  /// To a date within the step, its end included.
  void wait_within(double date_s) { position_s_ = date_s; }
  /// To where the value is as asked for: here, or where a later step begins; never (infinite) where a million steps have
  /// changed nothing.
  template <class Is>
  double next_where(Is is) {
    constexpr int kMostSteps = 1'000'000;
    for (int steps = 0; !is(value_); ++steps) {
      if (end_s_ == kInfinity || steps == kMostSteps) return kInfinity;
      next_step();
    }
    return position_s_;
  }
  /// When so much work ends that begins here, at the value's rate, if it does before a date; else infinite, and the
  /// position is at the last step that begins before it.
  double finish(double work_s, double before_s) {
    for (; position_s_ < before_s; go_to(end_s_)) {
      const double room_s = value_ * (end_s_ - position_s_);
      if (const double done_s = position_s_ + work_s / value_; work_s <= room_s && done_s < before_s)
        return is_stuck() ? kInfinity : done_s;
      if (work_s <= room_s || end_s_ >= before_s) break;
      work_s -= room_s;
    }
    return kInfinity;
  }

 private:
  std::unique_ptr<Path> path_;
  double position_s_ = 0, end_s_ = 0, value_ = 1;
};

/// The integral of a path from its beginning over so many seconds [s], and the steps that it took.
struct PathIntegral {
  double sum_s = 0;
  std::uint64_t steps = 0;
};
inline PathIntegral integral_of(Path& path, double seconds) {
  PathIntegral all;
  for (; seconds > 0; ++all.steps) {
    const Step step = path.next();
    all.sum_s += step.value * std::min(step.duration_s, seconds);
    seconds -= step.duration_s;
  }
  return all;
}

}  // namespace nowsim
