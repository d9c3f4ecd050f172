// Habits fitted to machines' traces by the clock of a zone, and as an owner block says them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/points/fitted_owner.hpp"
#include "sim/base/time_zone.hpp"
#include "sim/owners/habits_fit.hpp"

namespace nowsim {

/// A machine's series by the clock of a zone; of dates and times without Z by their own. Nothing where its stamps are by no
/// calendar.
std::optional<ClockedSeries> clocked(const LoadSeries& series, const TimeZone& zone);

/// The habits of all machines together (fit_habits()), which each host then has too; or why there are none. Dates and times
/// without Z are by their own clock, others by the zone's.
/// @param held_out days, since Monday, 5 January 1970, that are not looked at.
HabitsAnswer fit_habits_of(std::vector<FittedHost>& hosts, const TimeZone& zone, const std::vector<std::int64_t>& held_out = {});

/// The keys of a block with the model `habits`.
std::vector<std::pair<std::string, std::string>> habits_keys(const FittedHabits& habits);

/// What was found, a sentence each: days and hours, what stays for how long, what machines share, or why nothing was.
std::vector<std::string> habits_sentences(const HabitsAnswer& answer);

}  // namespace nowsim
