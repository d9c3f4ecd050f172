// Owners that a job finds in the middle of something: their paths begin otherwise than when a job begins.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/owners/owner_model.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {

/// A path from so many seconds on.
std::unique_ptr<Path> later_path(std::unique_ptr<Path> path, double seconds);
/// A step, and then the path.
std::unique_ptr<Path> path_behind(Step first, std::unique_ptr<Path> path);

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
