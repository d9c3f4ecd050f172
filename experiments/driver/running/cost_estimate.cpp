#include "experiments/driver/running/cost_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/points/point.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/engines/batch_record.hpp"
#include "sim/engines/direct/superstep_lanes.hpp"
#include "sim/engines/timeline.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/supersteps.hpp"
#include "sim/splitting/split_search.hpp"
#include "sim/splitting/split_task.hpp"
#include "sim/statistics/numerical_inversion.hpp"

namespace nowsim {

const CostTable& shipped_costs() {
  static const CostTable table = [] {
    CostTable t{};  // on one core of a virtual machine (an EPYC of the Zen 5 kind)
    t[Cost::replication] = 40e-9;
    t[Cost::rank] = 4e-9;
    t[Cost::wide_rank] = 27e-9;
    t[Cost::interval] = 0.35e-9;
    t[Cost::rank_step] = 3e-9;
    t[Cost::lane] = 3e-9;
    t[Cost::tree_step] = 12e-9;
    t[Cost::alike_step] = 1.5e-9;
    t[Cost::exponential] = 0.9e-9;
    t[Cost::table] = 1.1e-3;
    t[Cost::table_draw] = 1.1e-9;
    t[Cost::control] = 0.5e-9;
    t[Cost::message] = 0.3e-6;
    t[Cost::process] = 0.23e-6;
    t[Cost::turn] = 0.2e-9;
    t[Cost::path_step] = 17.5e-9;
    t[Cost::path] = 70e-9;
    t[Cost::path_superstep] = 15e-9;
    t[Cost::factor_step] = 50e-9;
    t[Cost::owner_job] = 54e-9;
    t[Cost::phase] = 33e-9;
    t[Cost::meeting] = 0.8e-6;
    t[Cost::routes] = 3e-3;
    t[Cost::simgrid_batch] = 3e-3;
    t[Cost::simgrid_message] = 5e-6;
    t[Cost::simgrid_step] = 0.8e-6;
    t[Cost::simgrid_rank] = 5e-6;
    t[Cost::simgrid_phase] = 2e-6;
    t[Cost::simgrid_meeting] = 10e-6;
    t[Cost::worker] = 6e-3;
    t[Cost::batch] = 50e-6;
    t[Cost::stored] = 100e-9;
    t[Cost::point] = 40e-6;
    t[Cost::picture] = 0.1;
    return t;
  }();
  return table;
}

namespace {

/// Whether there are fewer links than machines, as on a bus: messages may well meet there.
bool machines_share_links(const Platform& platform) {
  const auto links = std::ranges::count_if(platform.links, &Link::shared);
  return static_cast<std::size_t>(links) < platform.workstations.size();
}

double messages_of(const Scenario& s) { return s.workload->program().messages(static_cast<int>(s.size())); }

/// Phases of a program, or the steps of one that broadcasts in each.
double steps_of(const Scenario& s) {
  const double phases = static_cast<double>(s.workload->program().phases);
  const double others = static_cast<double>(s.size()) - 1;
  return s.workload->program().supersteps && others > 0 ? std::max(phases, messages_of(s) / others) : phases;
}

bool are_dedicated(const std::vector<OwnerPtr>& owners) {
  return std::ranges::all_of(owners, &Owner::is_dedicated);
}

/// The whole superstep program of one replication does for all of a batch.
bool are_alike(const Scenario& s) { return are_dedicated(s.owners) && are_dedicated(s.bandwidth); }

void count_direct(const Scenario& s, double replications, double batches, WorkCounts& work) {
  const double ranks = static_cast<double>(s.size());
  work[Cost::replication] += replications;
  work[s.size() <= kMostWithValues + first_worker(s) ? Cost::rank : Cost::wide_rank] += replications * (ranks - 1);
  if (can_go_at_once(s)) {
    const bool is_tree = s.workload->program().supersteps->broadcast_tree() && s.size() > 1;
    const Cost step = !is_tree ? Cost::rank_step : are_alike(s) ? Cost::alike_step : Cost::tree_step;
    work[step] += ranks * steps_of(s) * (are_alike(s) ? batches : replications);
    return;
  }
  work[Cost::process] += replications * ranks;
  work[Cost::phase] += replications * ranks * static_cast<double>(s.workload->program().phases);
  work[machines_share_links(*s.platform) ? Cost::meeting : Cost::message] += replications * messages_of(s);
}

void count_simgrid(const Scenario& s, double replications, double batches, WorkCounts& work) {
  const double ranks = static_cast<double>(s.size());
  work[Cost::simgrid_batch] += batches;
  work[Cost::simgrid_rank] += replications * ranks;
  work[Cost::simgrid_phase] += replications * ranks * static_cast<double>(s.workload->program().phases);
  work[machines_share_links(*s.platform) ? Cost::simgrid_meeting : Cost::simgrid_message] +=
      replications * messages_of(s);
}

}  // namespace

double expected_time_s(const Scenario& s) {
  double time_s = 0;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s.share_flop[i] > 0 && s.available_speed(i) > 0)  // what others have to do for it is not told apart
      time_s = std::max(time_s, s.share_flop[i] / s.available_speed(i));
  if (const auto& overhead = s.workload->program().overhead_model; overhead && s.network)
    time_s += overhead->overhead_s(overhead->size(), static_cast<double>(s.size()), *s.network);
  return time_s;
}

/// As the model says, or from the beginning of one path.
double WorkCounter::mean_step_s(const Owner& model) {
  const auto [known, is_new] = steps_s_.try_emplace(&model, 0);
  if (!is_new) return known->second;
  constexpr int kSteps = 64;
  if (const auto intervals = model.renewal()) return known->second = intervals->mean_length_s;
  if (const OwnerJobs* jobs = model.jobs()) return known->second = jobs->source().mean_interval_s();
  const auto path = model.path({});
  double time_s = 0;
  for (int k = 0; k < kSteps; ++k) time_s += path->next().duration_s;
  return known->second = time_s / kSteps;
}

void WorkCounter::add_draws(const InverseTransform& law, double draws, WorkCounts& work) {
  if (law.form == InverseTransform::Form::exponential) work[Cost::exponential] += draws;
  if (law.form == InverseTransform::Form::function) work[Cost::table_draw] += draws;
  if (law.form != InverseTransform::Form::table) return;
  work[Cost::table_draw] += draws;
  if (tables_.insert(law.table.get()).second) ++work[Cost::table];
}

void WorkCounter::add_owner(const Owner& model, double workstations, const Scenario& scenario, Engine engine,
                            double time_s, double replications, WorkCounts& work) {
  if (model.is_measured()) return add_draws_of(model, workstations, scenario, engine, time_s, replications, work);
  const double paths = replications * workstations, steps = paths * (1 + time_s / mean_step_s(model));
  const LaneForm form = lane_form(model, {});
  if (engine == Engine::simgrid) work[Cost::simgrid_step] += steps;
  else if (model.jobs() != nullptr) work[Cost::owner_job] += steps;
  else if (const auto* draws = std::get_if<RenewalDraws>(&form)) {
    work[Cost::lane] += paths;
    work[Cost::interval] += steps;
    if (scenario.controls != nullptr) work[Cost::control] += steps;
    add_draws(draws->length_s, steps, work);
    add_draws(draws->value, steps, work);
  } else if (std::holds_alternative<TwoStep>(form)) {
    work[Cost::lane] += paths;
    work[Cost::turn] += steps;
  } else {
    work[Cost::path] += paths;
    if (can_go_at_once(scenario)) work[Cost::path_superstep] += paths * steps_of(scenario);
    const auto common = model.dependence().kind;
    const bool has_factor = common == Dependence::Kind::clock || common == Dependence::Kind::intervals;
    work[has_factor ? Cost::factor_step : Cost::path_step] += steps;
  }
}

/// Each draw of its parameters has laws of its own, and tables of a quarter of the usual time (drawn_coarsely()).
void WorkCounter::add_draws_of(const Owner& model, double workstations, const Scenario& scenario, Engine engine,
                               double time_s, double replications, WorkCounts& work) {
  constexpr double kOfTable = 0.25;
  const OwnerPtr one = drawn(model, scenario.seed, 0);
  WorkCounts of_draws{};
  const double again = std::min(replications, static_cast<double>(kMostStepped));  // a step away (parameter_steps.hpp)
  replications += again;
  WorkCounter().add_owner(*one, workstations, scenario, engine, time_s, replications, of_draws);
  of_draws[Cost::table] *= kOfTable * std::ceil(replications / static_cast<double>(replications_per_draw(scenario)));
  work += of_draws;
}

WorkCounts WorkCounter::count(const Scenario& s, Engine engine, std::uint64_t replications) {
  WorkCounts work{};
  const double n = static_cast<double>(replications), batches = std::ceil(n / static_cast<double>(batch_size(s)));
  work[Cost::batch] += batches;
  if (s.size() <= kMostWithValues + first_worker(s)) work[Cost::stored] += n * static_cast<double>(s.size());
  (engine == Engine::direct ? count_direct : count_simgrid)(s, n, batches, work);
  const double time_s = expected_time_s(s);
  for (const auto* models : {&s.owners, &s.bandwidth}) {
    std::map<const Owner*, double> workstations;
    for (const auto& model : *models)
      if (!model->is_dedicated()) ++workstations[model.get()];
    for (const auto& [model, count] : workstations) add_owner(*model, count, s, engine, time_s, n, work);
  }
  const bool asks = engine == Engine::direct && messages_of(s) > 0 && s.platform->has_network();
  if (asks && platforms_.insert(s.platform.get()).second) ++work[Cost::routes];
  return work;
}

/// Searches by curves took 8 to 22 evaluations and 20 of shares of all sizes, others of 2 to 40 machines 43 to 260; the
/// bound takes a run of its samples or two, and about as much for what all machines leave together.
double expected_evaluations(const SplitTask& task) {
  constexpr double kOthers = 4, kByCurves = 7, kWide = 20, kLine = 20, kDownhill = 15, kEach = 5, kOfBound = 2.5;
  const double n = static_cast<double>(task.machines.size());
  const bool by_curves = has_curves(*task.scenario, task.replications);
  const bool is_local = task.machines.size() <= kMostForLocalSearch;
  const double nearby = by_curves ? kByCurves : kDownhill + (is_local ? kEach * n : 0);
  return (by_curves ? kOthers + kWide : kLine) + nearby + kOfBound * static_cast<double>(task.gap_samples);
}

WorkCounts point_work(const Point& point, WorkCounter& counter, std::optional<std::uint64_t> replications) {
  const PointScenarios* simulated = point.simulated();
  WorkCounts work{};
  for (const Scenario* s : simulated != nullptr ? simulated->all() : std::vector<const Scenario*>{})
    work += counter.count(*s, engine_for(point.plan.engine, *s), replications.value_or(point.plan.replications));
  return work;
}

WorkCounts split_work(const SplitTask& task, WorkCounter& counter) {
  constexpr double kGuard = 4, kJudged = 3;  // find_split.cpp
  const bool is_search = task.policy->split == nullptr;
  const double samples = is_search ? expected_evaluations(task) + kJudged : task.is_guarded ? kGuard : 0;
  WorkCounts work = counter.count(*task.scenario, task.engine, task.replications);
  work *= samples;
  if (samples == 0) work += counter.count(*task.scenario, task.engine, kSigmaPilot);
  work[Cost::batch] = work[Cost::stored] = 0;  // they stay where they are computed
  return work;
}

double estimated_cost_s(const Point& point) {
  WorkCounter counter;
  return shipped_costs().seconds(point_work(point, counter));
}

double least_cost_s(const Point& point) {
  if (point.as<OpenSize>() != nullptr) return 0;
  const RunPlan& plan = point.plan;
  const std::uint64_t least = plan.decides() ? kFirstReplications : plan.least,
                      fewest = plan.may_stop() ? std::min(least, plan.replications) : plan.replications;
  WorkCounter counter;
  WorkCounts work = point_work(point, counter, fewest);
  if (const auto* open = point.as<OpenSplit>()) work += split_work(*open->task, counter);
  return shipped_costs().seconds(work);
}

double estimated_cost_s(const Scenario& s, Engine engine, std::uint64_t replications) {
  return shipped_costs().seconds(WorkCounter().count(s, engine, replications));
}

Experiment without_costly_points(Experiment experiment, double most_s) {
  if (std::isinf(most_s)) return experiment;  // estimates take time
  for (auto& point : experiment.points) {
    const double cost_s = point.as<OpenSize>() != nullptr ? 0 : estimated_cost_s(point);
    if (cost_s <= most_s) continue;
    point.state = UnsolvedPoint{"not run: it would take about " + duration_text(cost_s) + " of one core on " +
                                engine_name(engine_for(point.plan.engine, *point.scenario())) +
                                ", and the most allowed is " + duration_text(most_s)};
  }
  return experiment;
}

double recorded_bytes(const Scenario& s) {
  constexpr double kTwice = 2;  // packed for another process, and unpacked
  const double computes_and_waits = 2.0 * static_cast<double>(s.size()) * static_cast<double>(s.workload->program().phases);
  const double messages = s.workload->program().messages(static_cast<int>(s.size()));
  const double path_steps = WorkCounter().count(s, Engine::simgrid, 1)[Cost::simgrid_step];
  return kTwice * ((computes_and_waits + 2 * messages) * sizeof(TimelineActivity) +
                   messages * sizeof(TimelineMessage) + path_steps * sizeof(TimelineAvailability));
}

bool is_quick(const Series& series) {
  constexpr double kLeast_bytes = 1e5, kRate_bytes_per_s = 4e6, kMost_s = 60;
  constexpr double kTotals = 5, kOfWorkstations = 3;  // of a replication: about half of a store's columns say something
  const Scenario& scenario = *series.scenario;
  if (series.cell || series.plan.precision > 0) return false;
  const auto size = static_cast<double>(scenario.size());
  double workstations_bytes = 0;
  if (scenario.size() - first_worker(scenario) <= kMostWithValues)
    workstations_bytes = size * sizeof(double);
  else if (scenario.size() <= kMostWithMoments)
    workstations_bytes = size * sizeof(Moments) / static_cast<double>(batch_size(scenario));
  const double bytes = static_cast<double>(series.plan.replications) *
                       (kTotals * sizeof(double) + kOfWorkstations * workstations_bytes);
  const double cost_s = estimated_cost_s(scenario, series.engine, series.plan.replications);
  return bytes > kLeast_bytes && bytes > kRate_bytes_per_s * cost_s && cost_s < kMost_s;
}

}  // namespace nowsim
