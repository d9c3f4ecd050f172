// Owners' habits: mean availability by the hour of the day or week, over any other owner model.
#pragma once

#include <optional>
#include <string>
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

/// When a replication starts, from the pattern's beginning [s]. `opposite`: where that is random, half a week from where
/// it otherwise were.
double diurnal_start_s(const DiurnalPattern& pattern, const StreamKey& key, bool opposite = false);
/// The integral over so many seconds from such a moment of the pattern on of what has these values by hour.
double integral_by_hour(const std::vector<double>& by_hour, double start_s, double seconds);
/// All of a pattern, exactly: its start and its hours.
std::string diurnal_text(const DiurnalPattern& pattern);

/// The base model's availability B, of mean b, so changed that in an hour with mean d it has mean d exactly:
/// A = B·d/b where d <= b, which scales what the owner leaves, and A = 1 - (1-B)·(1-d)/(1-b) where d > b, which scales
/// what the owner takes. A stays in [0, 1], and each workstation as regular or erratic as it was: a dedicated machine
/// has A = d. Steps are cut at the hours. mean() and sd() are those over the whole pattern. It is no renewal process.
/// Owner jobs, which feel the task and so have no availability of their own, come by the hour instead (jobs_by_hour());
/// none come where every d is 1. @throws InputError unless there are 24 or 168 means, all in [0, 1], and a start within
/// the pattern; where owner jobs would ask for all cores at every hour, or come from a log.
OwnerPtr diurnal_owner(OwnerPtr base, DiurnalPattern pattern);

}  // namespace nowsim
