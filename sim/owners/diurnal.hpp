// Owners' habits: mean availability by the hour of the day or week, over any other owner model.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/owners/owner.hpp"

namespace nowsim {

inline constexpr double kHour_s = 3600;
inline constexpr std::size_t kHoursOfDay = 24, kHoursOfWeek = 168;
inline constexpr double kDay_s = kHoursOfDay * kHour_s, kWeek_s = kHoursOfWeek * kHour_s;

/// What all workstations do by the clock.
struct DiurnalPattern {
  std::vector<double> mean_by_hour;  ///< 24 from midnight, the same every day, or 168 from midnight before Monday
  /// When the job starts, from the pattern's beginning [s]; nothing: at a random moment of the week in each
  /// replication, the same for all workstations.
  std::optional<double> start_s;
};

/// A = shift + scale·B.
struct HourLaw {
  double shift, scale;
};

/// A pattern over an owner of a given mean and sd.
struct OwnerHours {
  OwnerHours(DiurnalPattern pattern_, const OwnerMoments& below);

  DiurnalPattern pattern;
  std::vector<HourLaw> laws;  ///< by hour
  double mean = 0, sd = 0;    ///< over the whole pattern
  bool is_opposite = false;   ///< where the start is random, it is half a week from where it otherwise were

  [[nodiscard]] std::shared_ptr<const OwnerHours> opposite() const;
  /// Over another owner.
  [[nodiscard]] std::shared_ptr<const OwnerHours> over(const OwnerMoments& below) const;
  /// Of a pattern whose start is given: so much later, and what is seen of the owner below.
  [[nodiscard]] std::pair<std::shared_ptr<const OwnerHours>, OwnerSight> under_way(const OwnerSight& sight) const;
  /// Owner::expected_left_s(). @param below the same of the owner below.
  [[nodiscard]] std::optional<double> expected_left_s(double seconds,
                                                      const std::function<std::optional<double>(double)>& below) const;
  [[nodiscard]] std::string text() const;
};

/// The path of the owner below, scaled hour by hour.
std::unique_ptr<Path> path_by_hour(std::unique_ptr<Path> below, std::shared_ptr<const OwnerHours> hours,
                                   const StreamKey& key);

/// When a replication starts, from the pattern's beginning [s]. `opposite`: where that is random, half a week from where
/// it otherwise were.
double diurnal_start_s(const DiurnalPattern& pattern, const StreamKey& key, bool opposite = false);
/// The integral over so many seconds from such a moment of the pattern on of what has these values by hour.
double integral_by_hour(const std::vector<double>& by_hour, double start_s, double seconds);
/// All of a pattern, exactly: its start and its hours.
std::string diurnal_text(const DiurnalPattern& pattern);

/// The base model's availability B, of mean b, so changed that in an hour with mean d it has mean d exactly: A = B·d/b
/// where d <= b, which scales what the owner leaves, and A = 1 - (1-B)·(1-d)/(1-b) where d > b, which scales what the
/// owner takes. A stays in [0, 1], and each workstation as regular or erratic as it was: a dedicated machine has A = d.
/// Steps are cut at the hours. The hours' laws stay where parameters are drawn anew: what a draw leaves less of is less
/// in every hour. It is no renewal process. Owner jobs, which feel the task and so have no availability of their own,
/// come by the hour instead (jobs_by_hour()); none come where every d is 1. @throws InputError unless there are 24 or
/// 168 means, all in [0, 1], and a start within the pattern; where owner jobs would ask for all cores at every hour, or
/// come from a log.
OwnerPtr diurnal_owner(OwnerPtr base, DiurnalPattern pattern);

}  // namespace nowsim
