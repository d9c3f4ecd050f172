// What a Gantt chart shows: for whom barriers waited, and how long machines did.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

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

/// When a workstation came to a barrier.
struct Arrival {
  double at_s;
  std::string workstation;
};

/// Of each barrier, the last one first.
std::vector<std::vector<Arrival>> arrivals(const Timeline& timeline) {
  std::vector<std::vector<Arrival>> barriers;
  for (const auto& workstation : timeline.workstations) {
    const std::vector<double> begins = barrier_begins(workstation);
    barriers.resize(std::max(barriers.size(), begins.size()));
    for (std::size_t b = 0; b < begins.size(); ++b) barriers[b].push_back({begins[b], workstation.name});
  }
  for (auto& barrier : barriers) std::ranges::stable_sort(barrier, std::ranges::greater{}, &Arrival::at_s);
  return barriers;
}

/// Moments that are as near in a run of that length are the same but for rounding.
bool is_same_moment(double a_s, double b_s) { return std::abs(a_s - b_s) <= 1e-9 * std::max(a_s, b_s); }

/// The workstation that came last to each barrier; several where they came together.
Fact last_at_barriers(const Timeline& timeline) {
  Fact fact;
  for (const auto& barrier : arrivals(timeline)) {
    FactItem last{kUnknownEstimate, {}};
    for (const auto& arrival : barrier)
      if (is_same_moment(arrival.at_s, barrier.front().at_s)) last.words.push_back(arrival.workstation);
    fact.push_back(std::move(last));
  }
  return fact;
}

/// By which share of its phase the last one came after the one before, at the barrier where that is least.
double least_gap(const Timeline& timeline) {
  double least = 1, begin_s = 0;
  for (const auto& barrier : arrivals(timeline)) {
    const double last_s = barrier.front().at_s;
    if (barrier.size() > 1 && last_s > begin_s) least = std::min(least, (last_s - barrier[1].at_s) / (last_s - begin_s));
    begin_s = last_s;
  }
  return least;
}

}  // namespace

Fact fact_of(Facts& facts, const ChartFact& what) {
  const Timeline& timeline = facts.timeline(what.of, what.replication);
  if (what.what == ChartFact::What::last_at_barrier) return last_at_barriers(timeline);
  if (what.what == ChartFact::What::barrier_gap) return {{exactly(least_gap(timeline)), {}}};
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
