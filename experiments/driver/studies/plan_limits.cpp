// Points for other amounts of work, and running them.
#include "experiments/driver/studies/plan_limits.hpp"

#include <cmath>
#include <utility>

#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/completion_time_model.hpp"

namespace nowsim {
namespace {

/// The request's job with another amount of work, split in the plan's proportions, and as many replications as the plan
/// has come to.
/// @param with_owners the plan's owners, else those of the request.
Point point_with(const PlanRequest& request, const Registries& registries, const PolicyPlan& plan, std::uint64_t seed,
                 bool with_owners) {
  const double whole_flop = sum_of(plan.scenario->share_flop);
  const bool is_same = std::abs(request.work_flop - whole_flop) <= 1e-12 * whole_flop;
  const double factor = is_same ? 1 : request.work_flop / whole_flop;
  Point point = plan_experiment(request, registries).points.front();
  point.plan.precision = 0;
  point.plan.replications = plan.makespans_s().size();
  const std::vector<double>& shares = plan.scenario->share_flop;
  Scenario scenario = *point.scenario();
  scenario.seed = point.plan.seed = seed;
  if (with_owners) scenario.owners = plan.scenario->owners;
  for (std::size_t i = 0; i < shares.size(); ++i) scenario.share_flop[i] = shares[i] * factor;
  if (scenario.controls) scenario.controls = std::make_shared<const ControlVariates>(scenario);
  point.state = ReadyPoint{{std::make_shared<const Scenario>(std::move(scenario)), nullptr, nullptr}};
  return point;
}

/// The policies' own runs are of the request's work.
bool is_same_run(const Point& point, const PolicyPlan& plan) {
  return point.scenario()->share_flop == plan.scenario->share_flop && point.plan.seed == plan.plan.seed;
}

/// The mean length of intervals that flags describe and nobody has measured; none of other owners.
std::optional<double> guessed_interval_s(const PlanRequest& job, const Registries& registries) {
  if (!job.platform_file.empty() || !job.owner_file.empty()) return std::nullopt;
  PlanRequest exactly = job;
  exactly.is_exact = true;
  const auto scenario = plan_experiment(exactly, registries).points.front().scenario();
  if (!scenario) return std::nullopt;
  const Owner& owner = *scenario->owners.front();
  const auto intervals = owner.renewal();
  const bool is_guess = intervals && !owner.is_dedicated() && !owner.is_measured() && owner.sd() > 0;
  return is_guess ? std::optional(intervals->mean_length_s) : std::nullopt;
}

}  // namespace

PointOutcome run_point(const Point& point, int jobs) {
  Experiment one;
  one.metrics = {find_metric("tau"), find_metric("T_50")};
  one.points = {point};
  PointOutcome outcome = run_experiment(one, {jobs}).front();
  if (!outcome.failure.empty()) throw RunError(outcome.failure);
  return outcome;
}

void find_work_limits(std::vector<PolicyPlan>& plans, const PlanRequest& request, const Registries& registries,
                      int jobs, const std::function<void(const std::string&)>& on_run) {
  if (!request.deadline_s || !request.risk) return;
  const PlanRequest job = about_policy(request, *builtin_policies().find("proportional"));  // refuses no machines; its shares are replaced
  for (PolicyPlan& plan : plans) {
    if (!plan.is_complete()) continue;
    const auto point_of = [&](double work_flop, std::uint64_t seed) {
      PlanRequest other = job;
      other.work_flop = work_flop;
      // Owners that are coarse for the plan's job are the same for one about as long; another has its own.
      const bool is_alike = work_flop > 0.5 * job.work_flop && work_flop < 2 * job.work_flop;
      return point_with(other, registries, plan, seed, is_alike);
    };
    const auto statistics_of = [&](const Point& point) {
      if (is_same_run(point, plan)) return plan.outcome.statistics;
      on_run("looking for the most work by '" + plan.policy + "'");
      return run_point(point, jobs).statistics;
    };
    RunPlan promised = plan.plan;
    promised.confidence = promise_confidence(request, plan.plan.confidence);
    plan.most_work = most_work(point_of, statistics_of, request.work_flop, *request.risk, promised);
  }
}

std::vector<IntervalTrial> try_intervals(const PolicyPlan& plan, const PlanRequest& request,
                                         const Registries& registries, int jobs,
                                         const std::function<void(const std::string&)>& on_run) {
  const PlanRequest job = about_policy(request, *builtin_policies().find("proportional"));
  std::vector<IntervalTrial> trials;
  try {
    const auto said_s = guessed_interval_s(job, registries);
    if (!said_s) return trials;
    constexpr double kFarShorter = 5, kFactor = 4;
    std::vector<double> others_s{*said_s / kFactor, *said_s * kFactor};
    if (*said_s * kFarShorter < kSessionOfPeople_s) others_s = {kSessionOfPeople_s};
    for (const double interval_s : others_s) {
      on_run("trying owners' intervals of " + duration_text(interval_s));
      PlanRequest other = job;
      other.options.overrides.push_back("owner.interval=" + number_text(interval_s) + "s");
      Point point = point_with(other, registries, plan, plan.plan.seed, false);
      const PointOutcome outcome = run_point(point, jobs);
      trials.push_back({interval_s, policy_plan(plan.policy, point, outcome, request, plan.plan.confidence)});
    }
  } catch (const InputError&) {  // lengths that no interval scales
    trials.clear();
  }
  return trials;
}

}  // namespace nowsim
