// All sets, or prefixes and a local search; orders to search by, judging sets of machines, measuring the best.
#include "experiments/driver/studies/machine_choice.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {

namespace {

constexpr std::size_t kMostRounds = 12, kMostSwapped = 8, kMostMoved = 40, kMostPrefixes = 40;

/// Of machines of a kind only the first few, however many: every set is like one of these.
bool is_canonical(const MachineSet& set, const std::vector<std::size_t>& kinds) {
  for (const std::size_t member : set)
    for (std::size_t i = 0; i < member; ++i)
      if (kinds[i] == kinds[member] && !std::ranges::binary_search(set, i)) return false;
  return true;
}

class Search {
 public:
  Search(const MachineField& field, const JudgeSets& judge) : field_(field), judge_(judge) {}

  MachineSearch run() {
    search_.is_exhaustive = field_.machines <= kMostForAllSets;
    evaluate(search_.is_exhaustive ? all_sets() : prefixes());
    search_.choose_objective(field_);
    if (!search_.is_exhaustive) climb();
    return std::move(search_);
  }

 private:
  [[nodiscard]] std::vector<MachineSet> all_sets() const {
    std::vector<MachineSet> sets;
    for (std::size_t bits = 1; bits < std::size_t{1} << field_.machines; ++bits) {
      MachineSet set;
      for (std::size_t i = 0; i < field_.machines; ++i)
        if (bits >> i & 1) set.push_back(i);
      if (is_canonical(set, field_.kinds)) sets.push_back(std::move(set));
    }
    return sets;
  }
  /// Of every size, or of so many sizes, all the same.
  [[nodiscard]] std::vector<MachineSet> prefixes() const {
    std::vector<MachineSet> sets;
    const std::size_t steps = std::min(field_.machines, kMostPrefixes);
    for (const auto& order : field_.orders)
      for (std::size_t step = 1; step <= steps; ++step) {
        const auto size = static_cast<std::ptrdiff_t>((step * field_.machines + steps - 1) / steps);
        MachineSet set(order.begin(), order.begin() + size);
        std::ranges::sort(set);
        sets.push_back(std::move(set));
      }
    return sets;
  }

  /// Those that are new, and large enough.
  void evaluate(std::vector<MachineSet> sets) {
    std::ranges::sort(sets);
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::erase_if(sets, [&](const MachineSet& s) { return s.size() < field_.least || search_.tried.contains(s); });
    if (sets.empty()) return;
    search_.try_sets(sets, judge_);
  }

  void climb() {
    for (std::size_t round = 0; round < kMostRounds; ++round) {
      const MachineSet before = search_.best(1).front();
      evaluate(neighbours(before));
      if (search_.best(1).front() == before) return;
    }
  }
  /// With one of the worst less, with one of the best others more, or with both.
  [[nodiscard]] std::vector<MachineSet> neighbours(const MachineSet& set) const {
    std::vector<MachineSet> out;
    MachineSet others;
    for (std::size_t i = 0; i < field_.machines; ++i)
      if (!std::ranges::binary_search(set, i)) others.push_back(i);
    for (std::size_t a = 0; a < std::min(kMostMoved, set.size()); ++a)
      out.push_back(changed(set, set[set.size() - 1 - a], {}));
    for (std::size_t b = 0; b < std::min(kMostMoved, others.size()); ++b) out.push_back(changed(set, {}, others[b]));
    for (std::size_t a = 0; a < std::min(kMostSwapped, set.size()); ++a)
      for (std::size_t b = 0; b < std::min(kMostSwapped, others.size()); ++b)
        out.push_back(changed(set, set[set.size() - 1 - a], others[b]));
    return out;
  }
  static MachineSet changed(MachineSet set, std::optional<std::size_t> without, std::optional<std::size_t> with) {
    if (without) std::erase(set, *without);
    if (with) set.insert(std::ranges::lower_bound(set, *with), *with);
    return set;
  }

  const MachineField& field_;
  const JudgeSets& judge_;
  MachineSearch search_;
};

}  // namespace

const char* objective_text(SetObjective objective) {
  static constexpr const char* kTexts[] = {"RF", "the quantile of T at the risk", "tau"};
  return kTexts[static_cast<std::size_t>(objective)];
}

void MachineSearch::choose_objective(const MachineField& field) {
  double least = 1, most = 0;
  for (const auto& [set, outcome] : tried) {
    if (!outcome.can_run()) continue;
    least = std::min(least, outcome.late);
    most = std::max(most, outcome.late);
  }
  const bool tells = field.has_deadline && least < most;
  objective = tells ? SetObjective::late : field.has_risk ? SetObjective::quantile : SetObjective::tau;
}

bool MachineSearch::is_better(const SetOutcome& a, const SetOutcome& b) const {
  const auto by = [&](const SetOutcome& o) {
    return std::tuple(objective == SetObjective::late ? o.late : 0, objective == SetObjective::tau ? 0 : o.quantile_s,
                      o.tau_s);
  };
  return by(a) < by(b);
}

std::vector<MachineSet> MachineSearch::best(std::size_t most) const {
  std::vector<MachineSet> sets;
  for (const auto& [set, outcome] : tried) sets.push_back(set);
  std::ranges::stable_sort(
      sets, [&](const MachineSet& a, const MachineSet& b) { return is_better(tried.at(a), tried.at(b)); });
  if (sets.size() > most) sets.resize(most);
  return sets;
}

std::size_t MachineSearch::try_sets(const std::vector<MachineSet>& sets, const JudgeSets& judge) {
  const auto outcomes = judge(sets);
  for (std::size_t k = 0; k < outcomes.size(); ++k) tried[sets[k]] = outcomes[k];
  return outcomes.size();
}

std::vector<MachineSet> MachineSearch::confirm_best(const MachineField& field, const JudgeSets& judge_again) {
  std::vector<MachineSet> sets = best(kMostConfirmed);
  sets.resize(try_sets(sets, judge_again));
  confirmed.insert(sets.begin(), sets.end());
  choose_objective(field);  // RF may tell sets apart only now
  return sets;
}

std::vector<std::size_t> by_descending(std::size_t n, const std::function<double(std::size_t)>& of) {
  std::vector<double> keys;
  for (std::size_t i = 0; i < n; ++i) keys.push_back(of(i));
  std::vector<std::size_t> order = first_numbers(n);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return keys[i]; });
  return order;
}

std::vector<MachineSet> MachineSearch::best_by_size() const {
  const auto is_preferred = [&](const MachineSet& a, const MachineSet& b) {
    const bool is_sure = confirmed.contains(a), is_other_sure = confirmed.contains(b);
    return is_sure != is_other_sure ? is_sure : is_better(tried.at(a), tried.at(b));
  };
  std::map<std::size_t, MachineSet> by_size;
  for (const auto& [set, outcome] : tried) {
    if (!outcome.can_run()) continue;
    auto& best = by_size[set.size()];
    if (best.empty() || is_preferred(set, best)) best = set;
  }
  std::vector<MachineSet> out;
  for (auto& [size, set] : by_size) out.push_back(std::move(set));
  return out;
}

MachineSearch search_machines(const MachineField& field, const JudgeSets& judge) { return Search(field, judge).run(); }

// ---- the choice -----------------------------------------------------------------------------------------------------

namespace {

constexpr std::uint64_t kFirstReplications = 100;  // of each set; the best are tried again with all

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
  Chooser(const Alternative& by, const Policy& policy, const PlanRequest& request, const StudyManner& manner)
      : all_(*by.scenario),
        views_(machine_views(all_)),
        policy_(policy),
        plan_(by.plan),
        request_(request),
        manner_(manner) {
    plan_.precision = 0;
    plan_.replications = by.makespans_s().size();
    order_ = by_descending(all_.size(), [&](std::size_t i) { return views_[i].available_speed(); });
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

  [[nodiscard]] double heterogeneity(std::size_t place) const {
    return all_.owners[order_[place]]->temporal_heterogeneity();
  }
  [[nodiscard]] MachineField field() const {
    MachineField f;
    f.machines = all_.size();
    f.least = static_cast<std::size_t>(all_.workload->program().least_ranks);
    const auto steady_speed = [&](std::size_t p) {
      return views_[order_[p]].available_speed() * std::max(0.0, 1 - heterogeneity(p));
    };
    f.orders = {first_numbers(f.machines), by_descending(f.machines, steady_speed),
                by_descending(f.machines, [&](std::size_t p) { return -heterogeneity(p); })};
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
  [[nodiscard]] Point point_of(const std::vector<std::size_t>& chosen, std::uint64_t seed) const {
    Point point;
    Scenario part = sub_scenario(all_, chosen, policy_);
    part.seed = seed;
    point.plan = plan_;
    point.plan.seed = seed;
    point.values = {policy_.name};
    point.state = ready_point(std::move(part));
    return point;
  }
  [[nodiscard]] static bool can_end(const Scenario& s) {
    for (std::size_t i = 0; i < s.size(); ++i)
      if (s.share_flop[i] > 0 && !(s.available_speed(i) > 0)) return false;
    return true;
  }
  std::vector<SetOutcome> judged(const std::vector<MachineSet>& sets, std::uint64_t replications) const {
    manner_.on_run("trying " + std::to_string(sets.size()) + " sets of machines");
    std::vector<Point> points;
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < sets.size(); ++k) try {
        Point point = point_of(indices(sets[k]), plan_.seed + 1);
        if (!can_end(*point.scenario())) continue;
        point.plan.replications = std::min(replications, plan_.replications);
        point.plan.runs_steps = false;
        points.push_back(std::move(point));
        which.push_back(k);
      } catch (const InputError&) {  // the policy refuses the machines: nobody leaves them any speed, say
      }
    std::vector<SetOutcome> out(sets.size(), {1, kInfinity, kInfinity});
    const auto outcomes = run_with_makespans(std::move(points), manner_);
    for (std::size_t k = 0; k < which.size(); ++k) out[which[k]] = set_outcome(outcomes[k], request_);
    return out;
  }
  /// The best of the best sets by as many replications as the plan has.
  MachineSet best_again(MachineSearch& search) const {
    const auto sets = search.confirm_best(field(), [&](const auto& all) { return judged(all, plan_.replications); });
    return *std::ranges::min_element(sets, [&](const MachineSet& a, const MachineSet& b) {
      return search.is_better(search.tried.at(a), search.tried.at(b));
    });
  }

  // ---- measuring ----

  /// All sizes; of all machines the chosen ones come first, so that they have the same random numbers as by themselves.
  void measure(const MachineSearch& search, const MachineSet& chosen, MachineChoice& out) const {
    auto sets = search.best_by_size();
    if (sets.empty() || sets.back().size() < all_.size()) sets.push_back(first_numbers(all_.size()));  // failed in the search
    for (auto& set : sets)
      if (set.size() == chosen.size()) set = chosen;
    std::vector<Point> points;
    for (const auto& set : sets) points.push_back(point_of(indices(set), plan_.seed + 2));
    std::vector<std::size_t> chosen_first = indices(chosen);
    for (const std::size_t i : order_)
      if (std::ranges::count(chosen_first, i) == 0) chosen_first.push_back(i);
    points.push_back(point_of(chosen_first, plan_.seed + 2));
    manner_.on_run("measuring the best sets of machines");
    const auto outcomes = run_with_makespans(points, manner_);
    for (std::size_t k = 0; k < outcomes.size(); ++k)
      if (!outcomes[k].failure.empty()) throw RunError(outcomes[k].failure);
    Experiment measured;
    measured.metrics = plan_metrics(request_.deadline_s.has_value());
    const auto choice = [&](std::size_t k) -> SizedChoice {
      ResultRow row = summarise_point(measured, points[k], outcomes[k]);
      return {machine_names(*points[k].scenario()),
              alternative(std::move(row), points[k], outcomes[k], request_, plan_.confidence)};
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
  const StudyManner& manner_;
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
                              const PlanRequest& request, const Registries& registries, const StudyManner& manner) {
  const std::size_t by = policy_to_search_by(plans, advice, registries.policies);
  MachineChoice out = Chooser(plans[by], *registries.policies.find(plans[by].name()), request, manner).choose();
  if (out.takes_all()) return out;
  const auto about = [&](const std::string& policy) {
    return about_machines(request, policy, out.by_size[out.chosen].machines, out.seed, registries);
  };
  const Alternative& on_all = plans[*advice.best];
  if (advice.best != by) {
    manner.on_run("splitting by '" + on_all.name() + "' on the chosen machines");
    out.by_recommended = plan_of(about(on_all.name()), registries, manner.jobs);
  }
  const Alternative* best = &out.by_size[out.chosen].plan;
  if (out.by_recommended && out.by_recommended->is_complete() && seems_better(*out.by_recommended, *best, request))
    best = &*out.by_recommended;
  if (!is_surely_better(*best, on_all, request)) return out;
  std::vector<Alternative> advised{*best};
  find_work_limits(advised, about(best->name()), registries, manner);
  out.advised = std::move(advised.front());
  return out;
}

}  // namespace nowsim
