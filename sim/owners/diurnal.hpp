// Owners' habits: mean availability by the hour of the day or week, over any other owner model.
#pragma once

#include <optional>
#include <vector>

#include "sim/owners/owner_model.hpp"

namespace nowsim {

inline constexpr double kHour_s = 3600;
inline constexpr std::size_t kHoursOfDay = 24, kHoursOfWeek = 168;

/// What all workstations do by the clock.
struct DiurnalPattern {
  std::vector<double> mean_by_hour;  ///< 24 from midnight, the same every day, or 168 from midnight before Monday
  /// When the job starts, from the pattern's beginning [s]; nothing: at a random moment of the week in each
  /// replication, the same for all workstations.
  std::optional<double> start_s;
};

/// The base model's availability B, of mean b, so changed that in an hour with mean d it has mean d exactly:
/// A = B·d/b where d <= b, which scales what the owner leaves, and A = 1 - (1-B)·(1-d)/(1-b) where d > b, which scales
/// what the owner takes. A stays in [0, 1], and each workstation as regular or erratic as it was: a dedicated machine
/// has A = d. Steps are cut at the hours. mean() and sd() are those over the whole pattern. It is no renewal process.
/// @throws InputError unless there are 24 or 168 means, all in [0, 1], a start within the pattern, and a base model
/// that does not feel the task (owner jobs do: they have no availability of their own that could be scaled).
OwnerPtr diurnal_owner(OwnerPtr base, DiurnalPattern pattern);

}  // namespace nowsim
