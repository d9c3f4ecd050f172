// How the machines' time divides into the job's, the owners' and overhead, over the replications of a point.
#pragma once

#include <array>
#include <vector>

#include "sim/batch_record.hpp"
#include "sim/joint_moments.hpp"
#include "sim/scenario.hpp"

namespace nowsim {

/// Times of a replication as jointly observed variables [s]; of antithetic pairs the pair's means are one observation.
/// T_eff_i = work done/S_i; overhead_i = T - T_owner_i - T_eff_i (ZY 3.2). On more than kMostWithValues workstations
/// only means are known (JointMoments::of_means), on more than kMostWithMoments nothing: no observations.
class MachineTimes {
 public:
  /// Variables over all machines: T, sum W_i T_eff_i, sum W_i (T - T_owner_i), sum T_eff_i, sum W_i overhead_i.
  enum Sum : std::size_t { kMakespan, kWeightedEffective, kWeightedAvailable, kSumEffective, kWeightedOverhead, kSums };
  /// Variables of one machine: T, T_eff_i, T_owner_i, overhead_i.
  enum Part : std::size_t { kTotal, kEffective, kOwner, kOverhead, kParts };

  /// Of no machines.
  MachineTimes() = default;
  explicit MachineTimes(const Scenario& scenario);
  void add(const BatchRecord& batch);

  [[nodiscard]] const JointMoments& sums() const { return sums_; }
  /// One per workstation.
  [[nodiscard]] const std::vector<JointMoments>& each() const { return each_; }

 private:
  using Parts = std::array<double, kParts>;

  void add_values(const BatchRecord& batch);
  void add_means(const BatchRecord& batch);
  [[nodiscard]] std::vector<Parts> unit_of(const BatchRecord& batch, std::size_t first) const;
  [[nodiscard]] std::array<double, kSums> sums_of(const std::vector<Parts>& machines) const;

  std::size_t unit_ = 1;
  std::vector<double> speed_flops_, weight_;
  JointMoments sums_{kSums};
  std::vector<JointMoments> each_;
};

}  // namespace nowsim
