// What a Gantt chart shows: for whom barriers waited, and how long machines did.
#include <algorithm>

#include "experiments/driver/labs/fact_kinds.hpp"

namespace nowsim {
namespace {

/// Neither computing nor moving anything.
bool waits(Activity what) { return what == Activity::barrier || what == Activity::receive || what == Activity::idle; }

double waiting_of(const WorkstationTimeline& workstation) {
  double seconds = 0;
  for (const auto& a : workstation.activities)
    if (waits(a.what)) seconds += a.end_s - a.begin_s;
  return seconds;
}

std::vector<double> barrier_begins(const WorkstationTimeline& workstation) {
  std::vector<double> begins;
  for (const auto& a : workstation.activities)
    if (a.what == Activity::barrier) begins.push_back(a.begin_s);
  return begins;
}

/// The workstation that came last to each barrier.
Fact last_at_barriers(const Timeline& timeline) {
  std::vector<std::vector<double>> begins;
  std::size_t barriers = 0;
  for (const auto& workstation : timeline.workstations) {
    begins.push_back(barrier_begins(workstation));
    barriers = std::max(barriers, begins.back().size());
  }
  Fact fact;
  for (std::size_t b = 0; b < barriers; ++b) {
    const auto last = std::ranges::max_element(begins, {}, [&](const auto& of) { return b < of.size() ? of[b] : -1; });
    fact.push_back({kUnknownEstimate, {timeline.workstations[static_cast<std::size_t>(last - begins.begin())].name}});
  }
  return fact;
}

}  // namespace

Fact fact_of(Facts& facts, const ChartFact& what) {
  const Timeline& timeline = facts.timeline(what.of, what.replication);
  if (what.what == ChartFact::What::last_at_barrier) return last_at_barriers(timeline);
  Fact fact;
  double sum = 0;
  for (const auto& workstation : timeline.workstations) {
    fact.push_back({exactly(waiting_of(workstation)), {}});
    sum += fact.back().number.value;
  }
  if (what.what == ChartFact::What::waiting) return fact;
  return {{exactly(sum / (timeline.makespan_s * static_cast<double>(fact.size()))), {}}};
}

}  // namespace nowsim
