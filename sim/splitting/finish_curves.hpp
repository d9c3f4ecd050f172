// When each machine would be done with a share, in every replication of a sample: learnt from the splits that were run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/splitting/pilot.hpp"

namespace nowsim {

struct CurvePoint {
  std::vector<double> makespan_s;   ///< T, per replication
  std::vector<std::uint32_t> last;  ///< whose T_i is longest
  std::vector<double> slope_s;      ///< dT/dX of the last one's share [s/flop]
};

/// T_i(X_i) of machines that compute their shares without waiting for one another, so that T is the longest T_i: exact
/// at the shares that were run, linear between them and, beyond, in proportion to the share. One run tells of all
/// machines at once, so that a few runs tell what a thousand splits would come to on the same random numbers.
class FinishCurves {
 public:
  static constexpr std::size_t kSharesNearby = 10;
  /// Whether curves of so many machines are held in memory.
  static bool can_hold(std::size_t machines, std::uint64_t replications, std::size_t most_shares = kSharesNearby);
  /// @param most_shares of each machine that are remembered, those nearest to the last one: a search comes closer step
  /// by step.
  FinishCurves(std::size_t machines, std::uint64_t replications, std::size_t most_shares = kSharesNearby)
      : replications_(replications), most_shares_(most_shares), machines_(machines) {}

  /// Learns from a run, with its T_i, of a split. False where its makespan is not the longest T_i, or some T_i is not
  /// between those of a smaller and of a larger share: then machines do wait for one another.
  bool learn(std::span<const double> share_flop, const PilotRun& run);

  /// What a split would come to; there must be a run at least.
  void read(std::span<const double> share_flop, CurvePoint& point) const;
  /// d/dX_i of a sum of makespans with these weights, of the split that was read.
  [[nodiscard]] std::vector<double> gradient(const CurvePoint& point, std::span<const double> weights) const;

 private:
  struct Node {
    double share_flop;
    std::vector<double> time_s;  ///< per replication
  };
  using Curve = std::vector<Node>;  ///< by share
  bool add(Curve& curve, Node node) const;

  std::uint64_t replications_;
  std::size_t most_shares_;
  std::vector<Curve> machines_;
};

}  // namespace nowsim
