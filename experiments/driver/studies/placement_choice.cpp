// Judging placements by simulation, and choosing among those that were measured.
#include "experiments/driver/studies/placement_choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/studies/machine_choice.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/platform/routes.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostFound = 3, kMostMeasured = 8, kFewestTried = 20;
constexpr std::size_t kMostForDistances = 200;  // machines: of all pairs of them SimGrid is asked

using MachinePairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Whether each link is of one machine's routes, or of all: then machines may stand for one another as far as messages
/// meet others on links, too.
bool is_star(const MachinePairs& pairs, const std::vector<Route>& routes) {
  struct Users {
    std::size_t routes = 0;
    std::set<std::size_t> of_all;  ///< machines at an end of all of these
  };
  std::map<std::string, Users> users;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    for (const std::string& link : std::set(routes[k].links.begin(), routes[k].links.end())) {
      Users& it = users[link];
      const std::set<std::size_t> ends{pairs[k].first, pairs[k].second};
      if (it.routes++ == 0) it.of_all = ends;
      else std::erase_if(it.of_all, [&](std::size_t machine) { return !ends.contains(machine); });
    }
  return std::ranges::all_of(users, [&](const auto& link) {
    return link.second.routes == pairs.size() || !link.second.of_all.empty();
  });
}

/// Of machines that can run something; the others' stay 0. On a machine messages take no time.
std::vector<MachineDistance> distances_of(const Platform& platform, const std::vector<PlaceForRanks>& machines,
                                          bool& star) {
  MachinePairs pairs;
  for (std::size_t a = 0; a < machines.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (machines[a].most_ranks > 0 && machines[b].most_ranks > 0) pairs.emplace_back(b, a);
  std::vector<MachineDistance> out(machines.size() * machines.size());
  const auto routes = look_for_routes(platform, pairs).routes;
  star = is_star(pairs, routes);
  constexpr double kNoWay_s = 1e9;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto& [a, b] = pairs[k];
    const Route& route = routes[k];
    const MachineDistance d = route.no_route_reason.empty()
                                  ? MachineDistance{route.latency_s, route.bandwidth_Bps > 0 ? 1 / route.bandwidth_Bps : 0}
                                  : MachineDistance{kNoWay_s, 0};
    out[a * machines.size() + b] = out[b * machines.size() + a] = d;
  }
  return out;
}

std::size_t kind_of(const Scenario& scenario, std::size_t machine) {
  for (std::size_t first = 0; first < machine; ++first)
    if (are_alike(scenario, first, machine)) return first;
  return machine;
}

/// Whether nothing of it is random, so that all replications are the same.
bool is_certain(const Scenario& scenario, const Placement& placement) {
  return std::ranges::all_of(placement, [&](std::size_t m) { return scenario.owners[m]->is_dedicated(); }) &&
         std::ranges::all_of(scenario.bandwidth, &Owner::is_dedicated);
}

/// The same program behind another description: with its ranks on machines that are told, whatever it says itself.
class PlacedProgram final : public Workload {
 public:
  PlacedProgram(std::shared_ptr<const Workload> program, const std::vector<int>& machines)
      : Workload(placed(program->program(), machines)), program_(std::move(program)) {}

  Process run(Rank& self) const override { return program_->run(self); }
  void check_ended() const override { program_->check_ended(); }

 private:
  static ProgramDescription placed(ProgramDescription description, const std::vector<int>& machines) {
    description.placement = [machines](std::span<const Workstation>) { return machines; };
    return description;
  }
  std::shared_ptr<const Workload> program_;
};

/// The scenario with its program's ranks on these of its workstations: all workstations stay, and so do their random
/// numbers.
Scenario with_placement(const Scenario& scenario, const Placement& placement) {
  std::vector<int> machines;
  std::string identity = " placed=";
  for (const std::size_t machine : placement) {
    machines.push_back(static_cast<int>(machine));
    identity += std::to_string(machine) + ",";
  }
  Scenario out = scenario;
  out.workload = std::make_shared<const PlacedProgram>(scenario.workload, machines);
  out.workload_identity += identity;
  return out;
}

/// Simulates placements, some at a time, until that is over.
class PlacementJudge {
 public:
  PlacementJudge(const Point& point, const PlanRequest& request, std::uint64_t seed, const StudyManner& manner)
      : point_(point), request_(request), seed_(seed), manner_(manner) {}

  std::vector<SetOutcome> judged(const std::vector<Placement>& placements, std::uint64_t replications) {
    manner_.on_run("trying " + std::to_string(placements.size()) + " placements");
    const auto at_a_time = static_cast<std::size_t>(8 * std::max(1, manner_.jobs));
    std::vector<SetOutcome> out;
    for (std::size_t k = 0; k < placements.size() && !was_ended_; k += at_a_time) {
      const auto begin = placements.begin() + static_cast<std::ptrdiff_t>(k);
      run({begin, begin + static_cast<std::ptrdiff_t>(std::min(at_a_time, placements.size() - k))}, replications, out);
    }
    return out;
  }
  [[nodiscard]] bool was_ended() const { return was_ended_; }
  [[nodiscard]] std::uint64_t simulated() const { return simulated_; }
  /// Of the last placement that could not be simulated.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  void run(const std::vector<Placement>& placements, std::uint64_t replications, std::vector<SetOutcome>& out) {
    std::vector<Point> points;
    for (const auto& placement : placements) {
      Point point = point_;
      Scenario placed = with_placement(*point_.scenario(), placement);
      placed.seed = point.plan.seed = seed_;
      point.plan.precision = 0;
      point.plan.runs_steps = false;
      point.plan.replications = is_certain(placed, placement) ? 1 : replications;
      point.state = ready_point(std::move(placed));
      points.push_back(std::move(point));
    }
    try {
      for (const auto& outcome : run_with_makespans(std::move(points), manner_))
        out.push_back(judged(outcome));
    } catch (const Interrupted&) {
      was_ended_ = true;
    }
  }
  SetOutcome judged(const PointOutcome& outcome) {
    if (!outcome.failure.empty()) failure_ = outcome.failure;
    else if (outcome.statistics) simulated_ += outcome.statistics->makespan_s.count();
    return set_outcome(outcome, request_);
  }

  const Point& point_;
  const PlanRequest& request_;
  std::uint64_t seed_;
  const StudyManner& manner_;
  bool was_ended_ = false;
  std::uint64_t simulated_ = 0;
  std::string failure_;
};

/// Whether it makes no difference which of them is measured.
bool are_close(const SetOutcome& a, const SetOutcome& b) {
  constexpr double kShare = 1e-3;
  const auto close = [](double x, double y, double scale) { return std::abs(x - y) <= kShare * scale; };
  return close(a.late, b.late, 1) && close(a.quantile_s, b.quantile_s, b.quantile_s) && close(a.tau_s, b.tau_s, b.tau_s);
}

/// What the search began with, and the best that it found: of those with all replications where there are any, and of
/// those that are close to each other one.
std::vector<NamedPlacement> to_be_measured(const MachineSearch& search, std::vector<NamedPlacement> first) {
  std::erase_if(first, [&](const NamedPlacement& one) {
    const auto tried = search.tried.find(one.machines);
    return tried == search.tried.end() || !tried->second.can_run();
  });
  std::vector<SetOutcome> best;
  std::size_t found = 0;
  for (const Placement& placement : search.best(search.tried.size())) {
    const SetOutcome& outcome = search.tried.at(placement);
    if (best.size() == kMostFound || !outcome.can_run()) break;
    if (!search.confirmed.empty() && !search.confirmed.contains(placement)) continue;
    if (std::ranges::any_of(best, [&](const SetOutcome& other) { return are_close(outcome, other); })) continue;
    best.push_back(outcome);
    if (std::ranges::count(first, placement, &NamedPlacement::machines) > 0) continue;
    first.push_back({"found " + std::to_string(++found), placement});
  }
  return first;
}

}  // namespace

PlacementField placement_field(const Scenario& scenario, const MpiTrace& trace, const PlanRequest& request) {
  PlacementField field;
  for (std::size_t i = 0; i < scenario.size(); ++i)
    field.machines.push_back(
        {scenario.available_speed(i), scenario.platform->workstations[i].cores, 0, kind_of(scenario, i)});
  field.loads = loads_of(trace, request.mpi->scale);
  field.has_deadline = request.deadline_s.has_value();
  field.has_risk = request.risk.has_value();
  allow_ranks(field, static_cast<std::size_t>(request.mpi->most_per_machine.value_or(0)));
  const auto usable = std::ranges::count_if(field.machines, [](const PlaceForRanks& m) { return m.most_ranks > 0; });
  bool star = true;
  if (field.loads.communicates() && static_cast<std::size_t>(usable) <= kMostForDistances)
    field.distances = distances_of(*scenario.platform, field.machines, star);
  find_alike_machines(field);
  field.has_alike_machines = field.has_alike_machines && star;
  return field;
}

double estimated_replication_s(const Point& point, int jobs) {
  constexpr std::uint64_t kMany = 100;  // what is done once counts as little as it will
  const Scenario& scenario = *point.scenario();
  return estimated_cost_s(scenario, engine_for(point.plan.engine, scenario), kMany) / static_cast<double>(kMany) /
         std::max(1, jobs);
}

PlacementTrials trials_in_time(double replication_s, std::uint64_t replications, double most_s, bool is_asked) {
  PlacementTrials trials;
  const auto least_s = [&](std::uint64_t n) {
    const double search = kFewestTried * static_cast<double>(std::min(trials.first_replications, n)) +
                          kMostConfirmed * static_cast<double>(n);
    return replication_s * std::max(search / kShareOfSearch, kMostMeasured * static_cast<double>(n) / (1 - kShareOfSearch));
  };
  trials.replications = replications;
  while (least_s(trials.replications) > most_s && trials.replications > kFewestForPlan && !is_asked)
    trials.replications = replications_that_fit(0.9 * static_cast<double>(trials.replications - 1), trials.replications);
  if (least_s(trials.replications) > most_s)
    throw InputError("finding a placement would take about " + rough_duration(least_s(trials.replications)) + " with " +
                     std::to_string(trials.replications) + " replications, and is given " + rough_duration(most_s) +
                     " by --at-most");
  trials.first_replications = std::min(trials.first_replications, trials.replications);
  const double left = kShareOfSearch * most_s / replication_s - kMostConfirmed * static_cast<double>(trials.replications);
  const double fit = left / static_cast<double>(trials.first_replications);
  if (fit < static_cast<double>(trials.placements)) trials.placements = static_cast<std::size_t>(fit);
  return trials;
}

FoundPlacements find_placements(const Point& point, const PlacementField& field, const PlanRequest& request,
                                const PlacementTrials& trials, const StudyManner& manner) {
  FoundPlacements out;
  out.seed = point.plan.seed + 1;
  PlacementJudge judge(point, request, out.seed, manner);
  const std::vector<int> own = rank_machines(*point.scenario());  // as the program's description has them
  const auto first = first_placements(field, {own.begin(), own.end()});
  const auto judged = [&](std::uint64_t replications) {
    return [&judge, replications](const auto& placements) { return judge.judged(placements, replications); };
  };
  MachineSearch search = search_placements(field, first, judged(trials.first_replications), trials.placements);
  out.tried = search.tried.size();
  if (!judge.was_ended()) search.confirm_best(judged_by(field), judged(trials.replications));
  out.replications = judge.simulated();
  out.objective = search.objective;
  out.was_ended = judge.was_ended();
  out.best = to_be_measured(search, first);
  if (out.best.empty())
    throw RunError(judge.failure().empty() ? "the time that --at-most gives is over before any placement was tried"
                                           : judge.failure());
  return out;
}

Experiment placements_experiment(const Experiment& described, const std::vector<NamedPlacement>& placements,
                                 std::uint64_t replications) {
  Experiment experiment = described;
  const Point point = described.points.front();
  experiment.axes = {kPlacementAxis};
  experiment.points.clear();
  for (const auto& placement : placements) {
    Point one = point;
    one.values = {placement.name};
    one.plan.replications = replications;
    one.state = ready_point(with_placement(*point.scenario(), placement.machines));
    experiment.points.push_back(std::move(one));
  }
  return experiment;
}

RowComparisons compare_placements(const ResultTable& summary, bool has_deadline) {
  const std::vector<std::string> both{"RF", "tau"}, tau{"tau"};
  return compare_rows(summary, {.key = kPlacementAxis, .metrics = has_deadline ? both : tau});
}

}  // namespace nowsim
