#include "experiments/driver/running/work_counts.hpp"

#include <algorithm>
#include <cmath>

#include "sim/engines/batch_record.hpp"
#include "sim/engines/direct/superstep_lanes.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/supersteps.hpp"
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

void count_recording(const Scenario& s, double replications, WorkCounts& work) {
  const double others = static_cast<double>(s.size()) - 1;
  work[Cost::replication] += replications;
  if (s.size() <= kMostWithValues + first_worker(s)) work[Cost::rank] += replications * others;
  else work[Cost::wide_rank] += replications * others;
}

void count_direct(const Scenario& s, double replications, double batches, WorkCounts& work) {
  const double ranks = static_cast<double>(s.size());
  count_recording(s, replications, work);
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

std::vector<WorkCounter::OwnerCount> WorkCounter::grouped(const std::vector<OwnerPtr>& models) const {
  std::map<const Owner*, double> counts;
  for (const auto& model : models)
    if (!model->is_dedicated()) ++counts[model.get()];
  std::vector<OwnerCount> owners;
  for (const auto& [model, count] : counts) owners.push_back({model, count});
  return owners;
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

void WorkCounter::add_intervals(const RenewalDraws& laws, double lanes, double intervals, bool with_controls,
                                WorkCounts& work) {
  work[Cost::lane] += lanes;
  work[Cost::interval] += intervals;
  if (with_controls) work[Cost::control] += intervals;
  add_draws(laws.length_s, intervals, work);
  add_draws(laws.value, intervals, work);
}

void WorkCounter::add_owner(const OwnerCount& owner, const Scenario& scenario, Engine engine, double time_s,
                            double replications, WorkCounts& work) {
  if (owner.model->is_measured()) return add_draws_of(owner, scenario, engine, time_s, replications, work);
  const double paths = replications * owner.workstations, steps = paths * (1 + time_s / mean_step_s(*owner.model));
  const LaneForm form = lane_form(*owner.model, {});
  if (engine == Engine::simgrid) work[Cost::simgrid_step] += steps;
  else if (owner.model->jobs() != nullptr) work[Cost::owner_job] += steps;
  else if (const auto* draws = std::get_if<RenewalDraws>(&form))
    add_intervals(*draws, paths, steps, scenario.controls != nullptr, work);
  else if (std::holds_alternative<TwoStep>(form)) {
    work[Cost::lane] += paths;
    work[Cost::turn] += steps;
  } else {
    work[Cost::path] += paths;
    if (can_go_at_once(scenario)) work[Cost::path_superstep] += paths * steps_of(scenario);
    const auto common = owner.model->dependence().kind;
    const bool has_factor = common == Dependence::Kind::clock || common == Dependence::Kind::intervals;
    work[has_factor ? Cost::factor_step : Cost::path_step] += steps;
  }
}

/// Each draw of its parameters has laws of its own, and tables of a quarter of the usual time (drawn_coarsely()).
void WorkCounter::add_draws_of(const OwnerCount& owner, const Scenario& scenario, Engine engine, double time_s,
                               double replications, WorkCounts& work) {
  constexpr double kOfTable = 0.25;
  const OwnerPtr one = drawn(*owner.model, scenario.seed, 0);
  WorkCounts of_draws{};
  const double again = std::min(replications, static_cast<double>(kMostStepped));  // a step away (parameter_steps.hpp)
  replications += again;
  WorkCounter().add_owner({one.get(), owner.workstations}, scenario, engine, time_s, replications, of_draws);
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
  for (const auto* models : {&s.owners, &s.bandwidth})
    for (const OwnerCount& owner : grouped(*models)) add_owner(owner, s, engine, time_s, n, work);
  const bool asks = engine == Engine::direct && messages_of(s) > 0 && s.platform->has_network();
  if (asks && platforms_.insert(s.platform.get()).second) ++work[Cost::routes];
  return work;
}

}  // namespace nowsim
