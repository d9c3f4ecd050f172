// What of a timeline can be seen in a Gantt chart: pieces no finer than its pixels, barriers, messages.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/engines/timeline.hpp"

namespace nowsim {

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

/// When barriers ended, each once, in order.
std::vector<double> barrier_ends_s(const Timeline& timeline);

}  // namespace nowsim
