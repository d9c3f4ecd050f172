// One replication: what every workstation did, and when.
#include <sstream>

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

PageJson activities_of(const WorkstationTimeline& workstation) {
  PageJson list = PageJson::array();
  for (const TimelineActivity& a : workstation.activities)
    list.push_back({{"what", activity_name(a.what, a.note.meant)},
                    {"begin_s", a.begin_s},
                    {"end_s", a.end_s},
                    {"peer", a.peer < 0 ? PageJson() : PageJson(a.peer)},
                    {"amount", a.amount}});
  return list;
}

PageJson messages_of(const WorkstationTimeline& workstation) {
  PageJson list = PageJson::array();
  for (const TimelineMessage& m : workstation.messages)
    list.push_back({{"to", m.to}, {"bytes", m.bytes}, {"begin_s", m.begin_s}, {"end_s", m.end_s}});
  return list;
}

PageJson owner_jobs_of(const WorkstationTimeline& workstation) {
  PageJson list = PageJson::array();
  for (const OwnerJobRun& job : workstation.owner_jobs)
    list.push_back({{"arrival_s", job.arrival_s}, {"end_s", job.end_s}, {"demand_s", job.demand_s}});
  return list;
}

PageJson page_workstations(const Timeline& timeline) {
  PageJson list = PageJson::array();
  for (const WorkstationTimeline& w : timeline.workstations)
    list.push_back({{"name", w.name},
                    {"activities", activities_of(w)},
                    {"messages", messages_of(w)},
                    {"availability", pieces_of(w.availability)},
                    {"bandwidth", pieces_of(w.bandwidth)},
                    {"owner_jobs", owner_jobs_of(w)}});
  return list;
}

}  // namespace

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
  const Timeline timeline =
      record_timeline(engine_for(point.plan.engine, *point.scenario()), *point.scenario(), replication);
  std::ostringstream csv;
  write_timeline_csv(timeline, csv);
  return {{"makespan_s", timeline.makespan_s},
          {"engine", engine_name(timeline.engine)},
          {"seed", timeline.seed},
          {"replication", timeline.replication},
          {"version", version()},
          {"csv", csv.str()},
          {"workstations", page_workstations(timeline)}};
}

}  // namespace nowsim
