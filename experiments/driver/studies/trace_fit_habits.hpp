// Habits over what was measured, as a picture of a lab by the clock.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/points/fitted_habits.hpp"

namespace nowsim {

/// More machines are not drawn.
inline constexpr std::size_t kMostHabitsMachines = 96;

/// A lab whose machines all have habits, measured and fitted. Above: the mean of all machines by hour of the day, on days
/// that the fit tells apart; their week, with the range of the weeks that were recorded; and how hours' means, less the
/// mean of their hour, are correlated up to a week later, of the fit in as many draws of as many days as make some fifty
/// weeks. Below: each machine's week.
std::string habits_script(const std::vector<FittedHost>& hosts, PictureFormat format, const TimeZone& zone);

}  // namespace nowsim
