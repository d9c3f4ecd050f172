// The gnuplot script of a Gantt chart: one replication, a bar per workstation, its availability below.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "sim/engines/link_use.hpp"
#include "sim/engines/timeline.hpp"

namespace nowsim {

/// More workstations are not drawn.
inline constexpr std::size_t kMostGanttWorkstations = 32;
/// Where there are more barriers between those drawn, or where messages cross more lanes, all together, they are not
/// marked, and the chart says so.
inline constexpr std::size_t kMostGanttBarriers = 100, kMostGanttLanesCrossed = 600;

/// The use of a link is drawn as its mean over so many equal parts of [0, T].
inline constexpr std::size_t kGanttLinkParts = 300;

/// A script that draws the first 32 workstations into the file `output`, a gnuplot variable, and below them the use of
/// a link, if one is given. `title` stands above, a footer says replication, seed, engine, variance reduction and
/// version, and what is left out. Needs gnuplot 5.4.
std::string gantt_script(const Timeline& timeline, const std::optional<LinkUse>& link, const std::string& title,
                         PictureFormat format);

}  // namespace nowsim
