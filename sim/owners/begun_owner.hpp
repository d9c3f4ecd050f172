// Owners that a job finds in the middle of something: their paths begin otherwise than when a job begins.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/owners/owner_model.hpp"
#include "sim/statistics/distribution.hpp"

namespace nowsim {

/// What is left of an interval at a moment that has nothing to do with it: the law with the density P[L > x]/E[L], which
/// a renewal process has in the long run (Cox, Renewal Theory, 1962, 5.3). Drawn as a part, uniform, of an interval that
/// is as likely as it is long; that one from the quantiles in the middle of 4096 equally likely cells, the last of which has
/// what is missing of the mean. Of laws with heavy tails the last cell's length is what its quantiles say: of a Pareto law
/// of shape 3 the mean that is left comes out some 1.5 % too short, near shape 2 by half.
class ExcessOfInterval {
 public:
  explicit ExcessOfInterval(DistributionPtr length_s);
  /// At two uniform numbers in [0, 1).
  [[nodiscard]] double at(double u, double part) const;

 private:
  DistributionPtr length_s_;
  std::vector<double> until_;  ///< by cell: the sum of lengths up to its end, over that of all
};

/// A path from so many seconds on.
std::unique_ptr<Path> later_path(std::unique_ptr<Path> path, double seconds);

/// Makes a path of an owner, given the owner as it is otherwise.
using Beginning = std::function<std::unique_ptr<Path>(const OwnerModel& owner, const StreamKey& key)>;
/// The owner with paths that begin in a way of their own; moments, and what it has in common with others, are its own.
/// @param text all that the beginning depends on, exactly.
OwnerPtr begun_owner(OwnerPtr owner, Beginning beginning, std::string text);

/// Intervals of such lengths, the first of which is under way and has this availability. Where intervals have something
/// in common with those of other workstations, theirs go on behind it on the clock of all.
OwnerPtr interval_under_way(OwnerPtr owner, const DistributionPtr& length_s, double availability, bool has_common_clock);

/// The owner so much later.
OwnerPtr later_owner(OwnerPtr owner, double seconds);

/// OwnerModel::under_way(), or the owner itself where that makes no difference.
OwnerPtr owner_under_way(const OwnerPtr& owner, const OwnerSight& sight);

}  // namespace nowsim
