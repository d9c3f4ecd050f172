// Condensing timelines that are finer than the picture.
#include "experiments/driver/pictures/gantt_bars.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace nowsim {
namespace {

/// What is shorter, as a part of T, takes no time.
constexpr double kRounding = 1e-9;
constexpr std::size_t kActivities = static_cast<std::size_t>(Activity::off) + 1;
constexpr std::size_t kMeanings = static_cast<std::size_t>(Meant::spawn) + 1;

/// What a bar shows, as a number below kActivities * kMeanings.
std::size_t kind_of(const GanttBar& bar) {
  return static_cast<std::size_t>(bar.note.meant) * kActivities + static_cast<std::size_t>(bar.what);
}

/// Equal parts of [0, T]; gives a piece of time to those that it lies in.
class Columns {
 public:
  Columns(double makespan_s, std::size_t count) : width_s_(makespan_s / static_cast<double>(count)), count_(count) {}

  [[nodiscard]] double begin_s(std::size_t column) const { return static_cast<double>(column) * width_s_; }
  [[nodiscard]] double width_s() const { return width_s_; }
  /// Calls take(column, seconds in it).
  template <class Take>
  void share_out(double from_s, double to_s, Take take) const {
    const auto first = std::min(static_cast<std::size_t>(from_s / width_s_), count_ - 1);
    for (std::size_t c = first; c < count_ && begin_s(c) < to_s; ++c)
      take(c, std::max(0.0, std::min(to_s, begin_s(c) + width_s_) - std::max(from_s, begin_s(c))));
  }

 private:
  double width_s_;
  std::size_t count_;
};

/// Adds a bar, or lengthens the last one where it is of the same kind and ends there.
void join(std::vector<GanttBar>& bars, const GanttBar& bar, double makespan_s) {
  const bool goes_on =
      !bars.empty() && bars.back().shows(bar.what, bar.note.meant) && bars.back().note.chunk == bar.note.chunk &&
                       bar.begin_s - bars.back().end_s <= kRounding * makespan_s;
  if (goes_on)
    bars.back().end_s = bar.end_s;
  else
    bars.push_back(bar);
}

/// When the bytes of a send begin to travel: its own begin where no message ends with it.
double travels_from_s(const TimelineActivity& send, const WorkstationTimeline& workstation, double makespan_s) {
  const auto& all = workstation.messages;  // by begin
  for (auto m = std::ranges::lower_bound(all, send.begin_s, {}, &TimelineMessage::begin_s);
       m != all.end() && m->begin_s < send.end_s; ++m)
    if (m->to == send.peer && std::abs(m->end_s - send.end_s) <= kRounding * makespan_s) return m->begin_s;
  return send.begin_s;
}

}  // namespace

std::vector<GanttBar> gantt_bars(const WorkstationTimeline& workstation, double makespan_s) {
  std::vector<GanttBar> bars;
  const auto add = [&](const GanttBar& bar) {
    if (bar.end_s - bar.begin_s > kRounding * makespan_s) join(bars, bar, makespan_s);
  };
  for (const auto& a : workstation.activities) {
    const double from_s = a.what == Activity::send ? travels_from_s(a, workstation, makespan_s) : a.begin_s;
    add({Activity::receive, a.begin_s, from_s});
    add({a.what, from_s, a.end_s, a.note});
  }
  return bars;
}

std::vector<GanttBar> prevailing(const std::vector<GanttBar>& bars, double makespan_s, std::size_t columns) {
  const Columns parts(makespan_s, columns);
  std::vector<std::array<double, kActivities * kMeanings>> seconds(columns);
  for (const auto& bar : bars)
    parts.share_out(bar.begin_s, bar.end_s,
                    [&](std::size_t c, double s) { seconds[c][kind_of(bar)] += s; });
  std::vector<GanttBar> out;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto most = std::ranges::max_element(seconds[c]);
    const auto kind = static_cast<std::size_t>(most - seconds[c].begin());
    const OperationNote note{static_cast<Meant>(kind / kActivities)};
    if (*most > 0)
      join(out, {static_cast<Activity>(kind % kActivities), parts.begin_s(c), parts.begin_s(c) + parts.width_s(), note},
           makespan_s);
  }
  return out;
}

std::vector<TimelineAvailability> gantt_availability(const WorkstationTimeline& workstation, double makespan_s,
                                                     std::size_t columns) {
  if (workstation.availability.size() <= columns) return workstation.availability;
  const Columns parts(makespan_s, columns);
  std::vector<TimelineAvailability> means;
  for (std::size_t c = 0; c < columns; ++c) means.push_back({parts.begin_s(c), parts.begin_s(c) + parts.width_s(), 0});
  for (const auto& a : workstation.availability)
    parts.share_out(a.begin_s, a.end_s,
                    [&](std::size_t c, double s) { means[c].value += a.value * s / parts.width_s(); });
  return means;
}

/// Those of a workstation that was never switched off, where there is one: others may have passed barriers later.
std::vector<double> barrier_ends_s(const Timeline& timeline) {
  const auto stays_on = [](const WorkstationTimeline& w) {
    return std::ranges::none_of(w.activities, [](const auto& a) { return a.what == Activity::off; });
  };
  auto witness = std::ranges::find_if(timeline.workstations, stays_on);
  if (witness == timeline.workstations.end()) witness = timeline.workstations.begin();
  std::vector<double> ends;
  for (const auto& a : witness->activities)
    if (a.what == Activity::barrier && (ends.empty() || a.end_s > ends.back())) ends.push_back(a.end_s);
  return ends;
}

}  // namespace nowsim
