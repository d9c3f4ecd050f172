// Counting what replications will do.
#include "experiments/driver/running/cost_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/driver/text/duration_text.hpp"
#include "sim/engines/direct/supersteps_at_once.hpp"
#include "sim/engines/timeline.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {
namespace {

/// How long a step of an owner's path (or a link's) lasts on average: as the model says, or from the beginning of one path; infinite
/// for a dedicated one.
double mean_step_s(const OwnerModel& owner) {
  if (const auto model = owner.intervals(); model && !owner.is_dedicated()) return model->mean_length_s;
  if (const OwnerJobs* jobs = owner.jobs()) return jobs->interarrival_s().mean() / 2;  // each comes and goes
  constexpr int kSteps = 64;
  const auto path = owner.path({});
  double time = 0;
  for (int k = 0; k < kSteps; ++k) time += path->next().duration_s;
  return time / kSteps;
}

/// What things cost [s]: an event of an owner's path, a rank, a rank's phase, a message, a batch.
struct Costs {
  double event, rank, phase, message, batch;
};
constexpr Costs kSimGrid{0.8e-6, 3e-6, 2e-6, 8e-6, 3e-3};
constexpr Costs kDirect{5e-9, 5e-8, 5e-8, 0.15e-6, 5e-5};
/// Of programs of supersteps that the direct engine runs at once (sim/program/supersteps.hpp): per message about 1 ns on
/// dedicated machines where steps differ, 12 ns along owners' paths. Steps that are alike cost less.
constexpr Costs kAtOnce{1.5e-9, 1e-8, 1e-8, 1e-9, 1e-5};
constexpr double kStepWithOwner_s = 12e-9;

/// Whether there are fewer links than machines, as on a bus: messages may well meet there.
bool machines_share_links(const Platform& platform) {
  const auto links = std::ranges::count_if(platform.links, &Link::shared);
  return static_cast<std::size_t>(links) < platform.workstations.size();
}

/// Measured on a machine of 2023 with base tasks, barriers and messages. Of these on the direct engine one takes 0.15 us
/// (in a ping-pong) to 0.35 us (in broadcasts); on SimGrid 2.8 us, 4.6 us, 8 us where an owner sends panels to all at a
/// time, and 31 us in an exchange of all 64 ranks with all.
Costs costs_on(Engine engine, const Scenario& s) {
  if (engine != Engine::direct) return kSimGrid;
  if (can_go_at_once(s)) {
    Costs costs = kAtOnce;
    if (!std::ranges::all_of(s.owners, [](const auto& owner) { return owner->is_dedicated(); }))
      costs.message = kStepWithOwner_s;
    return costs;
  }
  Costs costs = kDirect;
  if (machines_share_links(*s.platform)) costs.message = kSimGrid.message;  // where SimGrid has the last word
  return costs;
}

/// About how many events owners' and links' paths have in a replication.
double path_events(const Scenario& s) {
  double time = 0, events = 0;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s.share_flop[i] > 0 && s.available_speed(i) > 0)  // what others have to do for it is not told apart
      time = std::max(time, s.share_flop[i] / s.available_speed(i));
  std::map<const OwnerModel*, double> steps;
  for (const auto* models : {&s.owners, &s.bandwidth})
    for (const auto& model : *models) {
      const auto [known, is_new] = steps.try_emplace(model.get(), 0);
      if (is_new) known->second = mean_step_s(*model);
      events += time / known->second;
    }
  return events;
}

/// The fewest trials of any search: the guard's of a second step, or along the first line of an optimum's.
constexpr double kFewestTrials = 4;

double split_cost_s(const SplitTask& task) {
  const bool is_sampled = task.policy->split == nullptr || task.is_guarded;
  return is_sampled ? kFewestTrials * estimated_cost_s(*task.scenario, task.engine, task.replications)
                    : estimated_cost_s(*task.scenario, task.engine, kSigmaPilot);
}

double cost_of_scenarios_s(const Point& point, std::uint64_t replications) {
  const PointScenarios* simulated = point.simulated();
  double cost = 0;
  for (const Scenario* s : simulated != nullptr ? simulated->all() : std::vector<const Scenario*>{})
    cost += estimated_cost_s(*s, first_engine(point.plan.engine, *s), replications);
  return cost;
}

/// Laws that are drawn from tables, each of which is made once and takes about so long.
double tables_cost_s(const Scenario& s) {
  constexpr double kTable_s = 0.8e-3;
  std::set<const QuantileTable*> tables;
  for (const auto* models : {&s.owners, &s.bandwidth})
    for (const auto& model : *models)
      if (const auto intervals = model->simple_intervals())
        for (const auto& law : {intervals->length_s, intervals->value}) tables.insert(law.table.get());
  tables.erase(nullptr);
  return kTable_s * static_cast<double>(tables.size());
}

}  // namespace

double estimated_cost_s(const Point& point) { return cost_of_scenarios_s(point, point.plan.replications); }

double least_cost_s(const Point& point) {
  if (point.as<OpenSize>() != nullptr) return 0;
  const RunPlan& plan = point.plan;
  const std::uint64_t fewest = plan.precision > 0 ? std::min(plan.least, plan.replications) : plan.replications;
  const double cost = cost_of_scenarios_s(point, fewest);
  const auto* open = point.as<OpenSplit>();
  return open != nullptr ? cost + split_cost_s(*open->task) : cost;
}

double estimated_cost_s(const Scenario& s, Engine engine, std::uint64_t replications) {
  const Costs costs = costs_on(engine, s);
  const double ranks = static_cast<double>(s.size());
  const double replication = path_events(s) * costs.event +
                             ranks * (costs.rank + costs.phase * static_cast<double>(s.workload->program().phases)) +
                             s.workload->program().messages(static_cast<int>(s.size())) * costs.message;
  const double n = static_cast<double>(replications);
  return n * replication + std::ceil(n / static_cast<double>(batch_size(s))) * costs.batch + tables_cost_s(s);
}

Experiment without_costly_points(Experiment experiment, double most_s) {
  if (std::isinf(most_s)) return experiment;  // estimates take time
  for (auto& point : experiment.points) {
    const double cost_s = point.as<OpenSize>() != nullptr ? 0 : estimated_cost_s(point);
    if (cost_s <= most_s) continue;
    point.state = UnsolvedPoint{"not run: it would take about " + duration_text(cost_s) + " of one core on " +
                                engine_name(first_engine(point.plan.engine, *point.scenario())) +
                                ", and the most allowed is " + duration_text(most_s)};
  }
  return experiment;
}

double recorded_bytes(const Scenario& s) {
  constexpr double kTwice = 2;  // packed for another process, and unpacked
  const double computes_and_waits = 2.0 * static_cast<double>(s.size()) * static_cast<double>(s.workload->program().phases);
  const double messages = s.workload->program().messages(static_cast<int>(s.size()));
  return kTwice * ((computes_and_waits + 2 * messages) * sizeof(TimelineActivity) +
                   messages * sizeof(TimelineMessage) + path_events(s) * sizeof(TimelineAvailability));
}

}  // namespace nowsim
