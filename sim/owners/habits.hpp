// An owner's habits: laws of what is left by hour of the week, and for how long the owner stays with what is done.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/owners/diurnal.hpp"
#include "sim/owners/path.hpp"

namespace nowsim {

/// A law of some values in rising order: each as likely as its weight, and the standard normals up to which each stands.
struct TiltedLaw {
  std::vector<double> weights, until_z;
  double mean = 0, mean_square = 0;
};
/// Equally likely values, each now likelier by the factor exp(t·value) that gives them this mean; where that is outside
/// of what the values span, the nearest of them alone (exponential tilting, Esscher 1932: of all laws on the values that
/// have this mean the one that is closest to the equal one in relative entropy).
TiltedLaw tilted(const std::vector<double>& values, double mean);

/// What an owner keeps to in a part of the day. Behind what is left at a moment stands a standard normal Z = sqrt(slow)·S
/// + sqrt(1 - slow)·F: S is drawn where the part begins, and stays; F is drawn anew after exponential intervals.
struct HabitsPart {
  double slow = 0;
  double interval_s = kHour_s;  ///< mean, of F
  double common = 0;            ///< the weight of what the F of all workstations have in common
  double slow_common = 0;       ///< likewise of S
  bool operator==(const HabitsPart&) const = default;
};

/// What is left, or whether the machine is there at all.
struct HabitsLayer {
  /// @param turns_s times of day at which parts of the day begin, in rising order; none: nothing stays, and there is one
  /// part. parts[k] begins at turns_s[k]. @throws std::logic_error unless there are as many parts as turns, or one;
  /// 168 means.
  HabitsLayer(std::vector<double> values, std::vector<double> mean_by_hour, std::vector<double> turns_s,
              std::vector<HabitsPart> parts);

  std::vector<double> values;        ///< in rising order, equally likely before they are tilted
  std::vector<double> mean_by_hour;  ///< 168 from midnight before Monday
  std::vector<double> turns_s;
  std::vector<HabitsPart> parts;
  std::vector<TiltedLaw> laws;             ///< those that differ
  std::vector<std::size_t> law_of_hour;    ///< among them

  [[nodiscard]] const TiltedLaw& law_at(std::size_t hour_of_week) const { return laws[law_of_hour[hour_of_week]]; }
  /// Which part of the day a moment of the week is in.
  [[nodiscard]] std::size_t part_at(double of_week_s) const;
  /// All of it, exactly.
  [[nodiscard]] std::string text() const;
};

/// The level of a layer, in standard normals that are added to Z: of each part on working days, and then of each part on
/// Saturdays and Sundays. Empty: 0.
using HabitsLevel = std::vector<double>;

/// What an owner does by the clock. Immutable once it is shared.
struct Habits {
  std::vector<HabitsLayer> layers;  ///< what is left is the product of them, four at most: of a machine that is there, whether it is, ...
  std::optional<double> start_s;    ///< when a job begins, since midnight before Monday; none: at a random moment of the week
  std::string label;

  /// Of what is left, over the week.
  [[nodiscard]] OwnerMoments moments() const;
  /// Mean availability by hour of the week.
  [[nodiscard]] std::vector<double> mean_by_hour() const;
  [[nodiscard]] std::string text() const;
};

/// A path of what such an owner leaves. @param levels as many as layers, or none.
std::unique_ptr<Path> habits_path(const std::shared_ptr<const Habits>& habits, std::vector<HabitsLevel> levels,
                                  const StreamKey& key);

}  // namespace nowsim
