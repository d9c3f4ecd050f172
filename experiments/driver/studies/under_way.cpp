// The rest of the job as points, and their comparison.
#include "experiments/driver/studies/under_way.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/owners/owner.hpp"
#include "sim/program/computing_time.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

// ---- the question ----------------------------------------------------------------------------------------------------

bool is_in_phases(const PlanRequest& r) { return r.phases || r.phase_bytes; }

void check_question(const PlanRequest& request, const ProgressRequest& said, const JobProgress& progress,
                    const Alternative& planned) {
  if (!(progress.left_flop() > 0)) throw InputError("nothing is left to do: all work is done");
  if (planned.scenario->platform->has_state_profiles())
    throw InputError("--elapsed: machines that switch off (state_file, failures) cannot be asked about while a job is under way");
  if (is_in_phases(request) && !said.done_file.empty())
    throw InputError("--done-file: a job in phases is as far on all machines; say how far by --done");
}

/// Of a job in phases a search would take hundreds of runs: it is split as before, or in proportion.
const Policy& policy_of_rest(const PlanRequest& request, const Alternative& planned, const Registry<Policy>& policies) {
  if (!is_in_phases(request)) return *policies.find("optimal");
  const Policy& before = *policies.find(planned.name());
  return before.split == nullptr || before.needs_parameters() ? *policies.find("proportional") : before;
}

/// What is asked of the rest. A deadline that is over is none.
PlanRequest request_of_rest(PlanRequest r, const JobProgress& progress, const Policy& by) {
  const double left = progress.left_flop() / progress.part_flop();
  r = about_policy(r, by);
  r.is_exact = true;  // owners are found as they are, and coarsened then
  r.work_flop = progress.left_flop();
  if (r.deadline_s) *r.deadline_s -= progress.elapsed_s;
  if (r.deadline_s && *r.deadline_s <= 0) r.deadline_s.reset();
  if (is_in_phases(r)) {
    const double phases = static_cast<double>(r.phases.value_or(1));
    r.phases = static_cast<std::int64_t>(std::ceil(phases * left - 1e-9));
  }
  // Owners that are found in the middle of something have no theory, and need no tricks for so short a run.
  r.options.overrides.push_back("run.variance_reduction=none");
  return r;
}

// ---- from now on -----------------------------------------------------------------------------------------------------

/// Owners as they are found; behind a pause, if there is one.
std::vector<OwnerPtr> found_owners(const std::vector<OwnerPtr>& owners, const std::vector<OwnerSight>& sights,
                                   double pause_s) {
  std::vector<OwnerPtr> found;
  for (std::size_t i = 0; i < owners.size(); ++i) found.push_back(owner_under_way(owners[i], sights[i]));
  see_together(found, owners, sights);
  for (auto& now : found)
    if (pause_s > 0 && !now->is_dedicated() && now->jobs() == nullptr) now = later_owner(*now, pause_s);
  return found;
}

class RestOfJob {
 public:
  /// @param by the policy that splits work anew.
  RestOfJob(Point base, const Policy& by, const PlanRequest& asked, const ProgressRequest& said,
            const JobProgress& progress, const Registries& registries)
      : base_(std::move(base)), by_(by), progress_(progress), pause_s_(said.moving_s), is_exact_(asked.is_exact),
        quantile_{SplitObjective::Kind::quantile, 0, 1 - asked.risk.value_or(kUsualRisk)},
        proportional_(*registries.policies.find("proportional")), now_(found(0)), behind_pause_(found(pause_s_)) {
    std::vector<double> left;
    for (const auto& m : progress.machines) {
      used_.push_back(m.takes_part());
      left.push_back(m.left_flop());
    }
    views_ = machine_views(behind_pause_);
    add_way({WayOn::Kind::go_on, "", {}}, point_of(now_, std::move(left), nullptr, 0));
    if (std::ranges::count(used_, true) > 1) add_moved(WayOn::Kind::move, {}, used_);
    if (!asked.phase_bytes) add_other_machines();
  }

  std::vector<WayOn> ways;
  std::vector<Point> points;

 private:
  // ---- the ways ----

  void add_way(WayOn way, Point point) {
    point.values = {way.name()};
    ways.push_back(std::move(way));
    points.push_back(std::move(point));
  }

  void add_other_machines() {
    std::vector<std::size_t> mine, spare;
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (!used_[i]) spare.push_back(i);
      else if (progress_.machines[i].left_flop() > 0) mine.push_back(i);
    std::map<std::size_t, double> end_s;
    for (const std::size_t i : mine) end_s[i] = expected_end_s(i);
    std::ranges::stable_sort(mine, std::greater{}, [&](std::size_t i) { return end_s[i]; });
    std::ranges::stable_sort(spare, std::greater{}, [&](std::size_t i) { return now_.available_speed(i); });
    if (std::ranges::count(used_, true) > 1)
      for (const std::size_t i : tried(mine)) add_moved(WayOn::Kind::give_up, i, changed(i, false));
    for (const std::size_t i : tried(spare)) add_moved(WayOn::Kind::add, i, changed(i, true));
  }
  /// The first of them, one of those that are alike.
  [[nodiscard]] std::vector<std::size_t> tried(const std::vector<std::size_t>& machines) const {
    std::vector<std::size_t> out;
    for (const std::size_t i : machines)
      if (out.size() < kMostMachinesTried && std::ranges::none_of(out, [&](std::size_t k) { return are_alike(now_, k, i); }))
        out.push_back(i);
    return out;
  }
  [[nodiscard]] std::vector<bool> changed(std::size_t i, bool is_used) const {
    std::vector<bool> out = used_;
    out[i] = is_used;
    return out;
  }

  /// Work split anew among these machines; left out where they cannot do any.
  void add_moved(WayOn::Kind kind, std::optional<std::size_t> which, const std::vector<bool>& used) {
    std::vector<MachineView> views = views_;
    for (std::size_t i = 0; i < views.size(); ++i) views[i].takes_part = views[i].takes_part && used[i];
    expect_during_run(behind_pause_, views);
    std::vector<double> shares;
    try {
      shares = shares_by(proportional_, progress_.left_flop(), views, {});
    } catch (const InputError&) {
      return;
    }
    const std::string name = which ? now_.platform->workstations[*which].name : "";
    const bool is_one = std::ranges::count(used, true) == 1;
    add_way({kind, name, {}}, point_of(behind_pause_, std::move(shares), is_one ? nullptr : &views, pause_s_));
  }

  /// With views, the split is still to be found from these shares on.
  [[nodiscard]] Point point_of(Scenario scenario, std::vector<double> shares, const std::vector<MachineView>* views,
                               double pause_s) const {
    Point point = base_;
    if (point.plan.deadline_s > 0) point.plan.deadline_s = std::max(kNoTime_s, point.plan.deadline_s - pause_s);
    scenario.share_flop = std::move(shares);
    const auto made = std::make_shared<const Scenario>(std::move(scenario));
    if (views == nullptr || &by_ == &proportional_) {
      point.state = ReadyPoint{{made, nullptr, nullptr}};
      return point;
    }
    const auto* open = base_.as<OpenSplit>();
    SplitTask task = open != nullptr ? *open->task : SplitTask{{&by_}};
    task.scenario = made;
    task.machines = *views;
    task.is_partial = true;
    task.gap_samples = 0;
    task.confidence = point.plan.confidence;
    task.engine = engine_for(point.plan.engine, *made);
    if (task.objective.kind != SplitObjective::Kind::tau) task.objective = quantile_;
    point.state = OpenSplit{{made, nullptr, nullptr}, std::make_shared<const SplitTask>(std::move(task))};
    return point;
  }

  // ---- machines as they are found ----

  /// The scenario from now on.
  [[nodiscard]] Scenario found(double pause_s) const {
    Scenario s = *base_.scenario();
    std::vector<OwnerSight> sights(s.size(), {progress_.elapsed_s, {}});
    s.bandwidth = found_owners(s.bandwidth, sights, pause_s);
    for (std::size_t i = 0; i < s.size(); ++i) sights[i].availability = progress_.machines[i].seen;
    s.owners = found_owners(s.owners, sights, pause_s);
    return is_exact_ ? s : *with_coarse_owners(std::make_shared<const Scenario>(s));
  }

  [[nodiscard]] double expected_end_s(std::size_t i) const {
    const double left = progress_.machines[i].left_flop();
    if (now_.owners[i]->jobs() != nullptr) return left / now_.available_speed(i);
    const Moments time = computing_time(now_, i, left, {kSigmaReplications, kSigmaPilot});
    return time.mean() + time.sd();
  }

  static constexpr double kUsualRisk = 0.05;
  static constexpr double kNoTime_s = 1e-9;  // a deadline that is over when work has been moved
  Point base_;
  const Policy& by_;
  const JobProgress& progress_;
  double pause_s_;
  bool is_exact_;
  SplitObjective quantile_;  // in place of RF, which is flat where a deadline is far, or over
  const Policy& proportional_;
  Scenario now_, behind_pause_;
  std::vector<bool> used_;
  std::vector<MachineView> views_;
};

// ---- comparisons -----------------------------------------------------------------------------------------------------

/// Of going on and what does better than that the first, which is the least change, that none of them does better than;
/// where each is bettered by another, the one of least RF and tau.
std::size_t advised_of(const std::vector<Alternative>& ways, const PairwiseDifferences& compared, bool has_deadline) {
  const auto is_better = [&](std::size_t one, std::size_t than) {  // by RF first; by tau where that cannot be told
    if (const Estimate late = compared.late_more(than, one); is_apart_from_zero(late)) return late.value > 0;
    return compared.is_slower(than, one);
  };
  std::vector<std::size_t> good{0};
  for (std::size_t k = 1; k < ways.size(); ++k)
    if (is_better(k, 0)) good.push_back(k);
  for (const std::size_t k : good)
    if (std::ranges::none_of(good, [&](std::size_t j) { return is_better(j, k); })) return k;
  return *std::ranges::min_element(good, {}, [&](std::size_t k) {
    return std::pair(has_deadline ? ways[k].late().value : 0.0, ways[k].tau().value);
  });
}

Estimate later(Estimate e, double seconds) {
  e.value += seconds;
  e.low += seconds;
  e.high += seconds;
  return e;
}

/// Times from the job's beginning on, of a rest whose times count from so much later.
Alternative since_beginning(Alternative rest, double seconds) {
  if (!rest.is_complete()) return rest;
  for (const PlanMetric time : {PlanMetric::tau, PlanMetric::median, PlanMetric::t90, PlanMetric::t99}) {
    Estimate& e = rest.row.estimates[static_cast<std::size_t>(time)].front();
    e = later(e, seconds);
  }
  if (rest.safe_deadline) *rest.safe_deadline = later(*rest.safe_deadline, seconds);
  auto statistics = std::make_shared<PointStatistics>(*rest.statistics);
  for (double& t : statistics->makespans_s) t += seconds;
  rest.statistics = std::move(statistics);
  rest.plan.deadline_s += rest.plan.deadline_s > 0 ? seconds : 0;
  return rest;
}

}  // namespace

std::string WayOn::name() const {
  static constexpr const char* kNames[] = {"go on", "move work", "give up ", "add "};
  return kNames[static_cast<std::size_t>(kind)] + machine;
}

WaysOn ways_on(const PlanRequest& request, const ProgressRequest& said, const JobProgress& progress,
               const Alternative& planned, const Registries& registries) {
  check_question(request, said, progress, planned);
  WaysOn out;
  const Policy& by = policy_of_rest(request, planned, registries.policies);
  out.rest = request_of_rest(request, progress, by);
  out.experiment = plan_experiment(out.rest, registries);
  if (out.experiment.points.front().scenario() == nullptr)
    throw RunError("the rest of the job cannot be simulated: " + out.experiment.points.front().reason());
  Point base = out.experiment.points.front();
  base.plan.replications = planned.makespans_s().size();
  base.plan.precision = 0;
  RestOfJob rest(std::move(base), by, request, said, progress, registries);
  out.experiment.points = std::move(rest.points);
  out.ways = std::move(rest.ways);
  return out;
}

void compare_ways(WaysOn& out, const std::vector<PointOutcome>& outcomes, const PlanRequest& request,
                  const ProgressRequest& said) {
  const double level = out.experiment.points.front().plan.confidence;
  const auto deadline_s = out.rest.deadline_s ? request.deadline_s : std::nullopt;
  out.of_promise = promise_confidence(out.ways.size(), level);
  out.table = summarise(out.experiment, outcomes);
  std::vector<Alternative> rests = alternatives(out.table, out.experiment, outcomes, out.rest);
  if (!rests.front().is_complete()) throw RunError("going on could not be simulated: " + outcomes.front().failure);
  std::vector<WayOn> complete;
  for (std::size_t k = 0; k < rests.size(); ++k) {
    const double pause_s = out.ways[k].kind == WayOn::Kind::go_on ? 0 : said.moving_s;
    out.ways[k].rest = since_beginning(std::move(rests[k]), said.elapsed_s + pause_s);
    out.table.rows[k] = out.ways[k].rest.row;
    if (out.ways[k].rest.is_complete()) complete.push_back(std::move(out.ways[k]));
  }
  rests.clear();
  for (const auto& way : complete) rests.push_back(way.rest);
  const PairwiseDifferences compared(rests, deadline_s, by_metric_confidence(deadline_s, level));
  for (std::size_t k = 1; k < complete.size(); ++k) {
    complete[k].late_less = compared.late_more(0, k);
    complete[k].takes_less = compared.takes_more(0, k);
  }
  out.of_each = compared.level_of_each();
  out.advised = advised_of(rests, compared, deadline_s.has_value());
  out.ways = std::move(complete);
}

}  // namespace nowsim
