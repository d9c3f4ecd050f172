// One replication as a Gantt chart's data: what every workstation did, and when.
#include <sstream>

#include "experiments/driver/pictures/gantt.hpp"
#include "experiments/driver/pictures/waits.hpp"
#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/engines/timeline.hpp"
#include "tools/page/page_scenario.hpp"

namespace nowsim {
namespace {

PageJson pieces_of(const std::vector<TimelineAvailability>& pieces) {
  PageJson list = PageJson::array();
  for (const auto& [begin_s, end_s, value] : pieces)
    list.push_back({{"begin_s", begin_s}, {"end_s", end_s}, {"value", value}});
  return list;
}

PageJson bars_of(const std::vector<GanttBar>& bars) {
  PageJson list = PageJson::array();
  for (const GanttBar& bar : bars)
    list.push_back({{"what", activity_name(bar.what, bar.note.meant)}, {"begin_s", bar.begin_s}, {"end_s", bar.end_s}});
  return list;
}

PageJson messages_of(const WorkstationTimeline& workstation) {
  PageJson list = PageJson::array();
  for (const TimelineMessage& m : workstation.messages)
    list.push_back({{"from", m.from}, {"to", m.to}, {"bytes", m.bytes}, {"begin_s", m.begin_s}, {"end_s", m.end_s}});
  return list;
}

/// Chunks of tasks that are computed one after the other are one bar.
std::vector<GanttBar> bars_over_chunks(WorkstationTimeline workstation, double makespan_s) {
  for (TimelineActivity& activity : workstation.activities) activity.note = {activity.note.meant};
  return gantt_bars(workstation, makespan_s);
}

}  // namespace

PageJson page_timeline(const Timeline& timeline) {
  std::ostringstream csv;
  write_timeline_csv(timeline, csv);
  std::vector<std::vector<GanttBar>> bars;
  PageJson said = PageJson::object(), workstations = PageJson::array();
  for (const WorkstationTimeline& w : timeline.workstations) {
    bars.push_back(bars_over_chunks(w, timeline.makespan_s));
    workstations.push_back({{"name", w.name},
                            {"bars", bars_of(bars.back())},
                            {"messages", messages_of(w)},
                            {"availability", pieces_of(w.availability)},
                            {"bandwidth", pieces_of(w.bandwidth)}});
  }
  for (const auto& [what, legend] : gantt_legend(bars)) said[what] = legend;
  return {
      {"makespan_s", timeline.makespan_s},      {"origin", gantt_origin(timeline)}, {"csv", csv.str()}, {"said", said},
      {"barriers_s", barrier_ends_s(timeline)}, {"workstations", workstations}};
}

PageJson page_gantt(PageDesk& desk, const PageRequest& request) {
  const std::uint64_t replication = request.whole("replication").value_or(0);
  const Experiment described = described_scenario(desk, page_scenario(desk, request));
  only_point(described);
  const Experiment experiment = ready_scenario(desk, described);
  const Point& point = only_point(experiment);
  if (replication >= point.plan.replications)
    throw InputError(Place{"", 0, "replication"},
                     "there are replications 0 to " + std::to_string(point.plan.replications - 1));
  require_memory(recorded_bytes(*point.scenario()), "the record of a replication");
  return page_timeline(
      record_timeline(engine_for(point.plan.engine, *point.scenario()), *point.scenario(), replication));
}

}  // namespace nowsim
