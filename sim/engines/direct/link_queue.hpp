// The flows of a link that is the only one to limit them: all get on alike, so the order in which they end stays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/base/running_sum.hpp"

namespace nowsim {

/// Progress is rate · penalty, summed over time: the same for all flows at all times. A flow ends when the progress since
/// it came is its bytes · penalty. A flow's weight here is how often it crosses the link, by its penalty.
class LinkQueue {
 public:
  /// Begins anew, without flows.
  void begin(double now_s) {
    progress_Bs_ = speed_B_ = 0;
    since_s_ = now_s;
    weight_ = {};
    flows_.clear();
  }
  [[nodiscard]] std::size_t size() const { return flows_.size(); }

  void add(std::uint32_t flow, double needed_Bs, double weight, double now_s) {
    advance(now_s);
    weight_.add(weight);
    flows_.emplace_back(progress_Bs_ + needed_Bs, flow);
    std::ranges::push_heap(flows_, std::greater<>());
  }
  /// Takes a flow out that does not end, which is rare.
  void remove(std::uint32_t flow, double weight, double now_s) {
    advance(now_s);
    weight_.add(-weight);
    flows_.erase(std::ranges::find(flows_, flow, &Entry::second));
    std::ranges::make_heap(flows_, std::greater<>());
  }
  /// Takes the next one out, which has ended.
  std::uint32_t pop(double weight) {
    weight_.add(-weight);
    const std::uint32_t flow = next();
    std::ranges::pop_heap(flows_, std::greater<>());
    flows_.pop_back();
    return flow;
  }
  /// The one that ends next.
  [[nodiscard]] std::uint32_t next() const { return flows_.front().second; }
  /// When that is.
  [[nodiscard]] double next_s() const {
    return since_s_ + std::max(0.0, flows_.front().first - progress_Bs_) / speed_B_;
  }

  /// Rate · penalty of each flow, if the link has this capacity.
  [[nodiscard]] double speed(double capacity_Bps) const { return capacity_Bps / weight_.value(); }
  /// From now on.
  void go_on(double capacity_Bps, double now_s) {
    advance(now_s);
    speed_B_ = speed(capacity_Bps);
  }
  /// Calls `take(flow, needed, speed)` with what each still needs now, and how fast it gets there.
  template <class Take>
  void for_each(double now_s, Take take) {
    advance(now_s);
    for (const auto& [end, flow] : flows_) take(flow, std::max(0.0, end - progress_Bs_), speed_B_);
  }

 private:
  using Entry = std::pair<double, std::uint32_t>;
  void advance(double now_s) {
    progress_Bs_ += speed_B_ * (now_s - since_s_);
    since_s_ = now_s;
  }

  double progress_Bs_ = 0, speed_B_ = 0, since_s_ = 0;
  RunningSum weight_;
  std::vector<Entry> flows_;  // a heap: the progress at which each ends
};

}  // namespace nowsim
