// A Gantt chart as a picture's bytes.
#pragma once

#include <string>

#include "experiments/driver/pictures/gantt_script.hpp"

namespace nowsim {

/// Has gnuplot draw the chart. @throws RunError where gnuplot is missing or fails, or no temporary file can be made.
std::string draw_gantt(const Timeline& timeline, const std::optional<LinkUse>& link, const std::string& title,
                       PictureFormat format);

}  // namespace nowsim
