// How flows share links: the weighted max-min allocation of rates, as SimGrid's network model CM02 defines it.
#pragma once

#include <cstdint>
#include <vector>

namespace nowsim {

/// One problem after another, in memory that is kept. All rates rise together, each in proportion to its flow's weight
/// 1/penalty; a flow's rate stays where it has reached its bound, or where a link on its way is used up (H. Casanova and
/// L. Marchal, A network model for simulation of grid application, RR LIP 2002-40). Exact but for rounding, where SimGrid
/// (kernel/lmm/maxmin.cpp) leaves off when what is left of a link is less than maxmin/precision of it.
class MaxMin {
 public:
  /// Begins another problem.
  void clear();
  /// @returns the number of the link: 0, 1, ... @param capacity_Bps more than 0.
  std::uint32_t add_link(double capacity_Bps);
  /// @returns the number of the flow: 0, 1, ... @param penalty_s more than 0. @param bound_Bps may be infinite.
  std::uint32_t add_flow(double penalty_s, double bound_Bps);
  /// The flow that was added last goes over a link so many times.
  void cross(std::uint32_t link, double times);
  /// Finds all rates. Every flow has to have a bound, or a link.
  void solve();
  [[nodiscard]] double rate_Bps(std::uint32_t flow) const { return flows_[flow].rate_Bps; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Link {
    double left_Bps;                 ///< by flows that do not rise any more
    double weight = 0;               ///< of those that rise
    double summed = 0;               ///< the weight when it was last summed, not come to by differences
    std::uint32_t rising = 0;        ///< flows
    std::uint32_t crossing = kNone;  ///< the first
    bool is_changed = false;
  };
  struct Flow {
    double weight, bound_Bps, bound_level;
    double rate_Bps = 0;
    std::uint32_t crossings, end;  ///< side by side
    bool is_rising = true;
  };
  struct Crossing {
    double weight;
    std::uint32_t flow, link, next;  ///< on the same link
  };
  void rise_to_least_level();
  void stop(Flow& flow, double rate_Bps);
  void update_levels();
  void sum_weight(Link& link);

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<Crossing> crossings_;
  // Links with rising flows, and the rate/weight at which each is used up if no flow stops before:
  std::vector<std::uint32_t> active_;
  std::vector<double> levels_;
  std::vector<std::uint32_t> to_stop_;  ///< flows
};

}  // namespace nowsim
