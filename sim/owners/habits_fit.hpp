// Owners' habits found in what was measured of machines: patterns by hour and kind of day, what stays for part of a day,
// what machines share; chosen by days that were held out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/owners/habits.hpp"
#include "sim/owners/load_series.hpp"

namespace nowsim {

/// A machine's series by the clock on its wall.
struct ClockedSeries {
  const LoadSeries* series;
  double first_s;  ///< when it begins, since midnight before Monday, 5 January 1970
  struct Change {
    double after_s, shift_s;
  };
  std::vector<Change> put_on = {};  ///< so long after its beginning the clock was put on, by so much in all; in order
  /// The clock on the wall so long after its beginning.
  [[nodiscard]] double wall_s(double since_first_s) const {
    double shift_s = 0;
    for (const Change& change : put_on)
      if (change.after_s <= since_first_s) shift_s = change.shift_s;
    return first_s + since_first_s + shift_s;
  }
};

/// What machines left in each hour of the clock, in the mean of what is known of it.
struct ClockHours {
  std::int64_t first_day = 0;             ///< since Monday, 5 January 1970
  std::size_t days = 0;
  std::vector<std::vector<double>> mean;  ///< by machine and hour, from midnight before the first day on; NaN: nothing is known
};
ClockHours clock_hours(const std::vector<ClockedSeries>& machines);

/// Which days are told apart: none, whatever the hour; none; Saturdays and Sundays from others; and from each other.
enum class DayKinds { no_hours, one, working_and_free, three };

/// Habits of a layer of all machines.
struct FittedLayer {
  std::string block = {};            ///< of an owner block: "" of what is left, "present", "comes" of whole days, "left" of jobs that were left
  std::vector<HabitsLayer> machines;
  std::vector<double> level_se;  ///< of all machines' level, by part on working days, and then on Saturdays and Sundays
};

struct HabitsFit {
  /// Of what is left; whether a machine is there, where one is not for a hundredth of the time, and whether it comes at all
  /// on a day, where on some it does not; or whether somebody has left a job on it, where machines stay busy for hours on end
  /// far more often than the first foretells.
  std::vector<FittedLayer> layers;
  DayKinds kinds = DayKinds::no_hours;
  std::size_t working_days = 0, saturdays = 0, sundays = 0;  ///< with data
  double worth = 0;                 ///< days
  std::size_t days_apart = 0;       ///< held out, one after another
  double explained = 0;             ///< of the variance of hours' means on days held out, by the pattern
};

/// Fewer days say nothing of a pattern by the hour.
inline constexpr std::size_t kFewestDays = 3;

/// The habits of machines, those of one lab, say; or why there are none to be told, in a sentence.
///
/// Hours' means are those of all machines, and of each as far as machines differ by more than their days do (James-Stein);
/// where days are few they are drawn to the mean of all by half a day. What is left has the values of all machines and all
/// hours, tilted to the hour's mean. Which days are told apart is what foretells days held out best. The memory within
/// parts of a day, and where these begin, are by least squares between the covariances of what is left at two moments, by
/// hour and lag, and those of the model: with the chance exp(-lag/interval) what comes and goes is still the same, and
/// of either case the covariance follows from the normals' correlation r by Mehler's expansion in Hermite polynomials, the
/// sum of c_j(h)·c_j(h')·r^j; how many parts is what foretells the covariances of days held out best. What machines
/// share comes from the covariances between machines likewise. The errors of levels are those of the mean over days.
struct HabitsAnswer {
  std::optional<HabitsFit> fit;
  std::string why_not;
};
/// @param held_out days that are not looked at, since Monday, 5 January 1970.
HabitsAnswer fit_habits(const std::vector<ClockedSeries>& machines, const std::vector<std::int64_t>& held_out = {});

}  // namespace nowsim
