// A Gantt chart: one replication, a bar per workstation, its availability below.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "sim/base/clock_moment.hpp"
#include "sim/engines/link_use.hpp"
#include "sim/engines/timeline.hpp"

namespace nowsim {

// ---- what of a timeline can be seen: pieces no finer than its pixels, barriers, messages ----

/// A piece of a bar: one activity from begin to end [s].
struct GanttBar {
  Activity what;
  double begin_s, end_s;
  OperationNote note = {};

  [[nodiscard]] bool shows(Activity activity, Meant meant) const { return what == activity && note.meant == meant; }
  [[nodiscard]] bool is_chunk() const { return note.chunk >= 0; }
};

/// A workstation's activities that take time, neighbours of one kind, and of one chunk, joined. A send is one from when its message
/// begins; before that it waits for the receiver, which counts as waiting for a message does.
std::vector<GanttBar> gantt_bars(const WorkstationTimeline& workstation, double makespan_s);

/// Of each of so many equal parts of [0, T] the kind that takes most of it, neighbours of one kind joined; no chunks.
std::vector<GanttBar> prevailing(const std::vector<GanttBar>& bars, double makespan_s, std::size_t columns);

/// A workstation's availability; where it has more than `columns` pieces, its mean in so many equal parts of [0, T].
std::vector<TimelineAvailability> gantt_availability(const WorkstationTimeline& workstation, double makespan_s,
                                                     std::size_t columns);

/// The kinds that are among these bars, in the legend's order: activity_name(), and what the legend says of it.
std::vector<std::pair<std::string, std::string>> gantt_legend(const std::vector<std::vector<GanttBar>>& bars);

/// "replication 4, seed 3, engine direct, nowsim 1.0"; a variance reduction too, where there is one.
std::string gantt_origin(const Timeline& timeline);

/// When barriers ended, each once, in order.
std::vector<double> barrier_ends_s(const Timeline& timeline);

// ---- the chart ----

/// More workstations are not drawn.
inline constexpr std::size_t kMostGanttWorkstations = 32;
/// Where there are more barriers between those drawn, or where messages cross more lanes, all together, they are not
/// marked, and the chart says so.
inline constexpr std::size_t kMostGanttBarriers = 100, kMostGanttLanesCrossed = 600;

/// The use of a link is drawn as its mean over so many equal parts of [0, T].
inline constexpr std::size_t kGanttLinkParts = 300;

/// A script that draws the first 32 workstations into the file `output`, a gnuplot variable, and below them the use of
/// a link, if one is given. `title` stands above, a footer says replication, seed, engine, variance reduction and
/// version, and what is left out. Where it is known when the run started, time is told by the clock. Needs gnuplot 5.4.
std::string gantt_script(const Timeline& timeline, const std::optional<LinkUse>& link, const std::string& title,
                         PictureFormat format, const std::optional<ClockMoment>& start = {});

}  // namespace nowsim
