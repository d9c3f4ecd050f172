// How flows share links: the weighted max-min allocation of rates, as SimGrid's network model CM02 defines it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowsim {

/// One problem after another, in memory that is kept. All rates rise together, each in proportion to its flow's weight
/// 1/penalty; a flow's rate stays where it has reached its bound, or where a link on its way is used up (H. Casanova and
/// L. Marchal, A network model for simulation of grid application, RR LIP 2002-40). A link that is not shared (FATPIPE)
/// gives each flow what it has, but as long as it limits any, all on it in proportion to their weights: so SimGrid 3.32
/// reckons (kernel/lmm/maxmin.cpp), and only where penalties differ it matters.
///
/// Exact but for rounding. SimGrid leaves off where what is left of a link is less than maxmin/precision of it.
class MaxMin {
 public:
  /// Begins another problem.
  void clear();
  /// @returns the number of the link: 0, 1, ... @param capacity_Bps more than 0.
  std::uint32_t add_link(double capacity_Bps, bool is_shared);
  /// @returns the number of the flow: 0, 1, ... @param penalty_s more than 0. @param bound_Bps may be infinite.
  std::uint32_t add_flow(double penalty_s, double bound_Bps);
  /// The flow that was added last goes over a link so many times (1 over one that is not shared).
  void cross(std::uint32_t link, double times);
  /// Finds all rates. Every flow has to have a bound, or a link.
  void solve();
  [[nodiscard]] double rate_Bps(std::uint32_t flow) const { return flows_[flow].rate_Bps; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Link {
    double capacity_Bps, left_Bps;
    double weight = 0;             ///< of the flows that rise: their sum, or the most of them where it is not shared
    double level = 0;              ///< left_Bps/weight: how far rates per weight can rise
    std::uint32_t rising = 0;      ///< crossings of flows that rise
    std::uint32_t crossing = kNone;  ///< the first
    bool is_shared, is_changed = false;
  };
  struct Flow {
    double penalty_s, bound_Bps, rate_Bps = 0;
    std::uint32_t crossings;  ///< the first of them, which stand side by side
    bool is_rising = true;
  };
  struct Crossing {
    std::uint32_t flow, link, next;  ///< on the same link
    double times;
  };
  void rise_to_least_level();
  bool stop_bounded(double level);
  void stop(std::uint32_t flow, double rate_Bps);
  void update(Link& link);
  [[nodiscard]] std::uint32_t end_of_crossings(std::uint32_t flow) const {
    return flow + 1 < flows_.size() ? flows_[flow + 1].crossings : static_cast<std::uint32_t>(crossings_.size());
  }

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<Crossing> crossings_;
  std::vector<std::uint32_t> active_, changed_, full_;  ///< links: with rising flows; touched; that are used up now
  double level_ = 0;
};

}  // namespace nowsim
