// Flows on links at the rates that max-min sharing gives them, recomputed for what is connected to a change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/base/running_sum.hpp"
#include "sim/engines/direct/event_queue.hpp"
#include "sim/engines/direct/max_min.hpp"
#include "sim/engines/direct/route_table.hpp"

// How it works:
// - A link limits nobody as long as the flows on it could all have their bounds: it is slack. Flows on slack links only
//   have their bounds, at no cost.
// - Other links are tight. Flows and tight links that are connected are a part; after a change the parts that it
//   concerns are gathered anew, and their rates found by MaxMin: all changes of a moment are one.
// - The common case, a tight link whose flows have no other, needs no rates: all of them get on in proportion to their
//   weights, so the order in which they end stays. It is a queue (LinkQueue).

namespace nowsim {

/// The flows of a link that is the only one to limit them: all get on alike, so the order in which they end stays.
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

/// The flows of one replication. Time goes forward, but for a moment (1e-9 of it). Flows have numbers that the caller
/// gives, small ones.
class FlowSharing {
 public:
  /// Forgets all flows; capacities are the links' own.
  void clear();
  /// There are these links, more than before or as many.
  void know(std::span<const RouteTable::Capacity> links);

  /// What a flow is to begin with.
  struct Demand {
    const RouteTable::Route* path;
    double penalty_s;  ///< 1/weight
    double bound_Bps;  ///< finite, unless all links on its path vary
    double bytes;      ///< more than 0
  };
  void enter(std::uint32_t flow, const Demand& demand, double now_s);
  /// Takes a flow out, before it has ended or then.
  void leave(std::uint32_t flow, double now_s);
  /// From now on; a link that varies is always reckoned with.
  void set_capacity(std::uint32_t link, double capacity_Bps, double now_s);

  /// When the next flow ends if nothing changes until then; infinite without flows.
  double next_s();
  /// Takes out the flows that end at this date, which is next_s(), and adds their numbers.
  void take_ended(double date_s, std::vector<std::uint32_t>& ended);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Flow {
    const RouteTable::Route* path = nullptr;
    double penalty_s = 1, bound_Bps = 0;
    double left_bytes = 0, rate_Bps = 0, since_s = 0;  ///< what was left at a time, and how fast it goes since
    double end_s = kInfinity;
    std::uint32_t tight = 0;     ///< so many of its links are
    std::uint32_t part = kNone;
    std::uint64_t visit = 0;
    bool is_queued = false, is_here = false;
    std::vector<std::uint32_t> places;  ///< in the lists of the links it crosses
  };
  struct Link {
    double capacity_Bps = 0;
    bool varies = false;
    bool is_tight = false, is_touched = false, is_queue = false, is_used = false;
    std::uint64_t visit = 0;
    std::uint32_t number = 0;             ///< in the problem that was gathered at that visit
    std::uint32_t mixed = 0;              ///< flows on it that have several tight links
    RunningSum load_Bps;                  ///< what flows on it could use
    double least_reach = kInfinity;       ///< as a queue: of bound · penalty, not more than any flow's
    std::vector<std::uint32_t> flows;
    LinkQueue queue;
  };
  // Entries of ends_: a flow by itself, a part, a queue.
  enum Entry : std::uint32_t { kFlow, kPart, kQueue, kKinds };
  static std::uint32_t entry(std::uint32_t number, Entry kind) { return number * kKinds + kind; }

  void refresh(std::uint32_t link);
  void count_tight(std::uint32_t flow, bool is_more);
  void touch(std::uint32_t link);
  void settle(Flow& flow) const;
  void go_alone(std::uint32_t flow);
  void dissolve(std::uint32_t part);
  void solve();
  void gather(std::uint32_t first_link);
  void give_rates();
  [[nodiscard]] double rate_alone(const Flow& flow) const;
  static double weight_on(std::uint32_t link, const Flow& flow);
  bool goes_on_as_queue(std::uint32_t link);
  void begin_queue(std::uint32_t link);
  void add_to_queue(std::uint32_t link, std::uint32_t flow);
  void end_queue(std::uint32_t link);
  void take_ended_of_queue(std::uint32_t link, double latest_s, std::vector<std::uint32_t>& ended);

  double now_s_ = 0;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<std::vector<std::uint32_t>> parts_;  ///< flows; none of a part that is no more
  std::vector<std::uint32_t> free_parts_, dissolved_;
  std::vector<std::uint32_t> touched_, freed_, used_;  ///< links that changed; flows without tight links; links that have had flows
  std::vector<std::uint32_t> gathered_, to_visit_;
  std::uint64_t visit_ = 0;
  MaxMin problem_;
  DateHeap ends_;
};

}  // namespace nowsim
