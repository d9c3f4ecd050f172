// Condensing timelines that are finer than the picture.
#include "experiments/gantt_bars.hpp"

#include <algorithm>
#include <array>

namespace nowsim {
namespace {

/// What is shorter, as a part of T, takes no time.
constexpr double kRounding = 1e-9;
constexpr std::size_t kActivities = static_cast<std::size_t>(Activity::off) + 1;

/// Equal parts of [0, T]; gives a piece of time to those that it lies in.
class Columns {
 public:
  Columns(double makespan_s, std::size_t count) : width_s_(makespan_s / static_cast<double>(count)), count_(count) {}

  [[nodiscard]] double begin_s(std::size_t column) const { return static_cast<double>(column) * width_s_; }
  [[nodiscard]] double width_s() const { return width_s_; }
  /// Calls take(column, seconds in it).
  template <class Take>
  void share_out(double begin_s_, double end_s, Take take) const {
    const auto first = std::min(static_cast<std::size_t>(begin_s_ / width_s_), count_ - 1);
    for (std::size_t c = first; c < count_ && begin_s(c) < end_s; ++c)
      take(c, std::max(0.0, std::min(end_s, begin_s(c) + width_s_) - std::max(begin_s_, begin_s(c))));
  }

 private:
  double width_s_;
  std::size_t count_;
};

/// Of each column what takes most of it, neighbours alike joined.
std::vector<GanttBar> dominant(const std::vector<TimelineActivity>& activities, const Columns& columns, std::size_t count) {
  std::vector<std::array<double, kActivities>> seconds(count);
  for (const auto& a : activities)
    columns.share_out(a.begin_s, a.end_s, [&](std::size_t c, double s) { seconds[c][static_cast<std::size_t>(a.what)] += s; });
  std::vector<GanttBar> out;
  for (std::size_t c = 0; c < count; ++c) {
    const auto most = std::ranges::max_element(seconds[c]);
    if (*most <= 0) continue;
    const auto what = static_cast<Activity>(most - seconds[c].begin());
    const double end_s = columns.begin_s(c) + columns.width_s();
    if (!out.empty() && out.back().what == what) out.back().end_s = end_s;
    else out.push_back({what, columns.begin_s(c), end_s});
  }
  return out;
}

}  // namespace

std::vector<GanttBar> gantt_bars(const WorkstationTimeline& workstation, double makespan_s, std::size_t columns) {
  std::vector<GanttBar> bars;
  for (const auto& a : workstation.activities)
    if (a.end_s - a.begin_s > kRounding * makespan_s) bars.push_back({a.what, a.begin_s, a.end_s});
  return bars.size() <= columns ? bars : dominant(workstation.activities, {makespan_s, columns}, columns);
}

std::vector<TimelineAvailability> gantt_availability(const WorkstationTimeline& workstation, double makespan_s,
                                                     std::size_t columns) {
  if (workstation.availability.size() <= columns) return workstation.availability;
  const Columns parts(makespan_s, columns);
  std::vector<TimelineAvailability> means;
  for (std::size_t c = 0; c < columns; ++c) means.push_back({parts.begin_s(c), parts.begin_s(c) + parts.width_s(), 0});
  for (const auto& a : workstation.availability)
    parts.share_out(a.begin_s, a.end_s, [&](std::size_t c, double s) { means[c].value += a.value * s / parts.width_s(); });
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
