// Orders to search by, judging sets of machines, measuring the best.
#include "experiments/driver/studies/machine_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/driver/studies/work_limit.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

constexpr std::uint64_t kFirstReplications = 100;  // of each set; the best are tried again with all
constexpr std::size_t kMostAgain = 20;

/// Whether a policy can split any set of the machines without simulation.
bool splits_at_once(const Policy& policy, const Scenario& scenario) {
  return policy.split != nullptr && !policy.needs_parameters() &&
         !needs_simulation(policy, {}, policy.is_second_step, machine_views(scenario));
}

/// The recommended policy if it will do, else the best that does.
std::size_t policy_to_search_by(const std::vector<Alternative>& plans, const Advice& advice,
                                const Registry<Policy>& policies) {
  std::vector<std::size_t> fit;
  for (std::size_t p = 0; p < plans.size(); ++p)
    if (plans[p].is_complete() && splits_at_once(*policies.find(plans[p].name()), *plans[p].scenario)) fit.push_back(p);
  if (fit.empty()) throw RunError("no policy that --subset could search by has run to its end");
  if (advice.best && std::ranges::count(fit, *advice.best) > 0) return *advice.best;
  return *std::ranges::min_element(fit, {}, [&](std::size_t p) {
    const double late = plans[p].late().value;
    return std::pair(std::isnan(late) ? 0 : late, plans[p].tau().value);
  });
}

class Chooser {
 public:
  Chooser(const Alternative& by, const Policy& policy, const PlanRequest& request, int jobs,
          const std::function<void(const std::string&)>& on_run)
      : all_(*by.scenario),
        views_(machine_views(all_)),
        policy_(policy),
        plan_(by.plan),
        request_(request),
        jobs_(jobs),
        on_run_(on_run) {
    plan_.precision = 0;
    plan_.replications = by.makespans_s().size();
    order_by_speed();
  }

  MachineChoice choose() {
    MachineChoice out;
    out.policy = policy_.name;
    out.search_seed = plan_.seed + 1;
    out.seed = plan_.seed + 2;
    MachineSearch search = search_machines(field(), [&](const auto& sets) { return judged(sets, kFirstReplications); });
    out.sets_tried = search.tried.size();
    out.is_exhaustive = search.is_exhaustive;
    const MachineSet chosen = best_again(search);
    out.objective = search.objective;
    measure(search, chosen, out);
    return out;
  }

 private:
  // ---- the field ----

  void order_by_speed() {
    order_.resize(all_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, std::greater{}, [&](std::size_t i) { return views_[i].available_speed(); });
  }
  [[nodiscard]] double steady_speed(std::size_t place) const {
    const std::size_t i = order_[place];
    return views_[i].available_speed() * std::max(0.0, 1 - all_.owners[i]->temporal_heterogeneity());
  }
  [[nodiscard]] MachineField field() const {
    MachineField f;
    f.machines = all_.size();
    f.least = static_cast<std::size_t>(all_.workload->program().least_ranks);
    std::vector<std::size_t> by_speed(f.machines);
    std::iota(by_speed.begin(), by_speed.end(), std::size_t{0});
    f.orders.assign(3, by_speed);
    std::ranges::stable_sort(f.orders[1], std::greater{}, [&](std::size_t p) { return steady_speed(p); });
    std::ranges::stable_sort(f.orders[2], std::less{},
                             [&](std::size_t p) { return all_.owners[order_[p]]->temporal_heterogeneity(); });
    for (std::size_t p = 0; p < f.machines; ++p) f.kinds.push_back(kind_of(p));
    f.has_deadline = request_.deadline_s.has_value();
    f.has_risk = request_.risk.has_value();
    return f;
  }
  /// The first machine like it. Where messages travel, each machine has a place of its own; and kinds only matter where
  /// all sets are tried.
  [[nodiscard]] std::size_t kind_of(std::size_t place) const {
    if (all_.workload->program().communicates || all_.size() > kMostForAllSets) return place;
    for (std::size_t p = 0; p < place; ++p)
      if (are_alike(all_, order_[p], order_[place])) return p;
    return place;
  }

  // ---- running sets ----

  [[nodiscard]] std::vector<std::size_t> indices(const MachineSet& set) const {
    std::vector<std::size_t> out;
    for (const std::size_t place : set) out.push_back(order_[place]);
    return out;
  }
  [[nodiscard]] MachineSet all_places() const {
    MachineSet set(all_.size());
    std::iota(set.begin(), set.end(), std::size_t{0});
    return set;
  }
  [[nodiscard]] Point point_of(const std::vector<std::size_t>& chosen, std::uint64_t seed) const {
    Point point;
    Scenario part = sub_scenario(all_, chosen, policy_);
    part.seed = seed;
    point.plan = plan_;
    point.plan.seed = seed;
    point.values = {policy_.name};
    point.state = ReadyPoint{{std::make_shared<const Scenario>(std::move(part)), nullptr, nullptr}};
    return point;
  }
  /// None where the policy refuses the machines: nobody leaves them any speed, say.
  [[nodiscard]] std::optional<Point> point_if_any(const std::vector<std::size_t>& chosen, std::uint64_t seed) const {
    try {
      return point_of(chosen, seed);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }
  [[nodiscard]] static bool can_end(const Scenario& s) {
    for (std::size_t i = 0; i < s.size(); ++i)
      if (s.share_flop[i] > 0 && !(s.available_speed(i) > 0)) return false;
    return true;
  }
  /// Failures have no statistics.
  [[nodiscard]] std::vector<PointOutcome> run(std::vector<Point> points) const {
    Experiment experiment;
    experiment.metrics = {find_metric("tau"), find_metric("T_50")};
    experiment.points = std::move(points);
    return run_experiment(experiment, {jobs_});
  }
  std::vector<SetOutcome> judged(const std::vector<MachineSet>& sets, std::uint64_t replications) const {
    on_run_("trying " + std::to_string(sets.size()) + " sets of machines");
    std::vector<Point> points;
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < sets.size(); ++k) {
      std::optional<Point> point = point_if_any(indices(sets[k]), plan_.seed + 1);
      if (!point || !can_end(*point->scenario())) continue;
      point->plan.replications = std::min(replications, plan_.replications);
      points.push_back(std::move(*point));
      which.push_back(k);
    }
    std::vector<SetOutcome> out(sets.size(), {1, kInfinity, kInfinity});
    const auto outcomes = run(std::move(points));
    for (std::size_t k = 0; k < which.size(); ++k) out[which[k]] = set_outcome(outcomes[k], request_);
    return out;
  }
  /// The best of the best sets by as many replications as the plan has.
  MachineSet best_again(MachineSearch& search) const {
    const auto sets = search.best(kMostAgain);
    const auto outcomes = judged(sets, plan_.replications);
    for (std::size_t k = 0; k < sets.size(); ++k) search.tried[sets[k]] = outcomes[k];
    search.confirmed.insert(sets.begin(), sets.end());
    search.choose_objective(field());  // RF may tell sets apart only now
    const auto best = std::ranges::min_element(
        outcomes, [&](const SetOutcome& a, const SetOutcome& b) { return search.is_better(a, b); });
    return sets[static_cast<std::size_t>(best - outcomes.begin())];
  }

  // ---- measuring ----

  /// All sizes; of all machines the chosen ones come first, so that they have the same random numbers as by themselves.
  void measure(const MachineSearch& search, const MachineSet& chosen, MachineChoice& out) const {
    auto sets = search.best_by_size();
    if (sets.empty() || sets.back().size() < all_.size()) sets.push_back(all_places());  // failed in the search
    for (auto& set : sets)
      if (set.size() == chosen.size()) set = chosen;
    std::vector<Point> points;
    for (const auto& set : sets) points.push_back(point_of(indices(set), plan_.seed + 2));
    std::vector<std::size_t> chosen_first = indices(chosen);
    for (const std::size_t i : order_)
      if (std::ranges::count(chosen_first, i) == 0) chosen_first.push_back(i);
    points.push_back(point_of(chosen_first, plan_.seed + 2));
    on_run_("measuring the best sets of machines");
    const auto outcomes = run(points);
    for (std::size_t k = 0; k < outcomes.size(); ++k)
      if (!outcomes[k].failure.empty()) throw RunError(outcomes[k].failure);
    Experiment measured;
    measured.metrics = plan_metrics(request_.deadline_s.has_value());
    const auto choice = [&](std::size_t k) -> SizedChoice {
      return {names_of(points[k]), alternative(summarise_point(measured, points[k], outcomes[k]), points[k], outcomes[k],
                                               request_, plan_.confidence)};
    };
    for (std::size_t k = 0; k < sets.size(); ++k) {
      if (sets[k] == chosen) out.chosen = k;
      out.by_size.push_back(choice(k));
    }
    // What is said of all machines is what the choice is compared with: the same random numbers on the chosen ones.
    out.by_size.back() = choice(points.size() - 1);
    if (!out.takes_all()) compare(out);
    reject_if_worse(out);
  }
  [[nodiscard]] static std::vector<std::string> names_of(const Point& point) {
    std::vector<std::string> names;
    for (const auto& w : point.scenario()->platform->workstations) names.push_back(w.name);
    return names;
  }
  void compare(MachineChoice& out) const {
    const std::vector<Alternative> two{out.by_size.back().plan, out.by_size[out.chosen].plan};
    const PairwiseDifferences compared(two, request_.deadline_s, plan_.confidence);
    out.takes_less = compared.takes_more(0, 1);
    out.late_less = compared.late_more(0, 1);
  }

  const Scenario& all_;
  std::vector<MachineView> views_;
  const Policy& policy_;
  RunPlan plan_;
  const PlanRequest& request_;
  int jobs_;
  const std::function<void(const std::string&)>& on_run_;
  std::vector<std::size_t> order_;  // workstations by available speed
};

/// The question about a policy on some of the machines.
PlanRequest about_machines(const PlanRequest& request, const std::string& policy, const Words& machines,
                           std::uint64_t seed, const Registries& registries) {
  PlanRequest some = about_policy(request, *registries.policies.find(policy));
  auto& overrides = some.options.overrides;
  std::erase_if(overrides, [](const std::string& o) {  // what chose machines before
    const std::string key = parse_override(o).key;
    return key == "platform.workstations" || key == "platform.set" || key == "platform.sets" ||
           key.starts_with("platform.sets.");
  });
  std::string names;
  for (const auto& name : machines) names += (names.empty() ? "'" : ", '") + name + "'";
  overrides.push_back("platform.hosts=[" + names + "]");
  overrides.push_back("run.seed=" + std::to_string(seed));
  return some;
}

/// Its split is found anew.
Alternative plan_of(const PlanRequest& some, const Registries& registries, int jobs) {
  const Experiment experiment = prepare(plan_experiment(some, registries), nullptr, {jobs});
  const auto outcomes = run_experiment(experiment, {jobs});
  return alternatives(summarise(experiment, outcomes), experiment, outcomes, some).front();
}

/// What is asked about first.
Estimate judged_by(const Alternative& plan, const PlanRequest& request) {
  return request.deadline_s ? plan.late() : request.risk ? *plan.safe_deadline : plan.tau();
}
bool seems_better(const Alternative& one, const Alternative& other, const PlanRequest& request) {
  return std::pair(judged_by(one, request).value, one.tau().value) <
         std::pair(judged_by(other, request).value, other.tau().value);
}
/// By intervals of their own, as of samples that have nothing in common.
bool is_surely_better(const Alternative& one, const Alternative& other, const PlanRequest& request) {
  const Estimate a = judged_by(one, request), b = judged_by(other, request);
  if (a.high < b.low || a.low > b.high) return a.high < b.low;
  return one.tau().high < other.tau().low;
}

/// Whether the choice, measured anew, is surely worse than all machines.
bool is_worse(const MachineChoice& m) {
  const auto quantile = [&](std::size_t k) { return *m.by_size[k].plan.safe_deadline; };
  if (m.objective == SetObjective::quantile) return quantile(m.chosen).low > quantile(m.by_size.size() - 1).high;
  if (m.objective == SetObjective::late && is_apart_from_zero(m.late_less)) return m.late_less.high < 0;
  return m.takes_less.high < 0;
}

}  // namespace

SetOutcome set_outcome(const PointOutcome& outcome, const PlanRequest& request) {
  if (!outcome.statistics || !outcome.failure.empty()) return {1, kInfinity, kInfinity};
  const PointStatistics& s = *outcome.statistics;
  const double n = static_cast<double>(s.makespan_s.count());
  SetOutcome out{request.deadline_s ? static_cast<double>(s.late) / n : 0, 0, s.makespan_s.mean()};
  if (request.risk) out.quantile_s = quantile_estimate(s.makespans_s, 1 - *request.risk, 0.95).value;
  return out;
}

void reject_if_worse(MachineChoice& choice) {
  if (choice.takes_all() || !is_worse(choice)) return;
  choice.rejected = choice.chosen;
  choice.chosen = choice.by_size.size() - 1;
}

void check_machine_choice(const Experiment& experiment, const Registry<Policy>& policies) {
  const auto fits = [&](const Point& p) {
    return p.simulated() != nullptr && splits_at_once(*policies.find(p.values.front()), *p.scenario());
  };
  if (std::ranges::none_of(experiment.points, fits))
    throw InputError(
        "--subset needs a policy that splits work without simulation, such as proportional, among --policies");
}

MachineChoice choose_machines(const std::vector<Alternative>& plans, const Advice& advice,
                              const PlanRequest& request, const Registries& registries, int jobs,
                              const std::function<void(const std::string&)>& on_run) {
  const std::size_t by = policy_to_search_by(plans, advice, registries.policies);
  MachineChoice out = Chooser(plans[by], *registries.policies.find(plans[by].name()), request, jobs, on_run).choose();
  if (out.takes_all()) return out;
  const auto about = [&](const std::string& policy) {
    return about_machines(request, policy, out.by_size[out.chosen].machines, out.seed, registries);
  };
  const Alternative& on_all = plans[*advice.best];
  if (advice.best != by) {
    on_run("splitting by '" + on_all.name() + "' on the chosen machines");
    out.by_recommended = plan_of(about(on_all.name()), registries, jobs);
  }
  const Alternative* best = &out.by_size[out.chosen].plan;
  if (out.by_recommended && out.by_recommended->is_complete() && seems_better(*out.by_recommended, *best, request))
    best = &*out.by_recommended;
  if (!is_surely_better(*best, on_all, request)) return out;
  std::vector<Alternative> advised{*best};
  find_work_limits(advised, about(best->name()), registries, jobs, on_run);
  out.advised = std::move(advised.front());
  return out;
}

}  // namespace nowsim
