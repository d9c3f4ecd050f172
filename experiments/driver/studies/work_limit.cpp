// How much work fits a deadline at a given risk: each replication's time between two amounts of work that were tried tells
// where the next one is best tried; and a plan's split with other owners' intervals.
#include "experiments/driver/studies/alternatives.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/direct/superstep_lanes.hpp"
#include "sim/engines/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/completion_time_model.hpp"
#include "sim/statistics/roots_and_minima.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

constexpr double kTolerance = 1e-4;
constexpr double kLeastShare = 1e-9;  // of the known work: less is nothing
constexpr double kFirstStep = 1.03;   // where a guess beyond all that was tried has not gone far enough

/// The quantile of T by the amount of work, each simulated once.
class QuantileOfWork {
 public:
  QuantileOfWork(const PointOfWork& point_of, const StatisticsOf& statistics_of, double share, const RunPlan& plan)
      : point_of_(point_of), statistics_of_(statistics_of), share_(share), plan_(plan) {}

  const Estimate& at(double work_flop) {
    const auto known = known_.find(work_flop);
    if (known != known_.end()) return known->second.quantile;
    const Point point = point_of_(work_flop, plan_.seed);
    unit_ = static_cast<std::size_t>(dependent_replications(*point.scenario()));
    const auto statistics = statistics_of_(point);
    Trial trial{statistics->makespans_s, {}};
    trial.quantile =
        of_stretches(quantile_of(trial.makespans_s), independent_stretches(*point.scenario(), statistics->makespan_s),
                     trial.makespans_s.size(), true, plan_.confidence);
    return known_.emplace(work_flop, std::move(trial)).first->second.quantile;
  }
  /// What it would be, nearly: every replication's time along a line between the amounts that were tried, and beyond
  /// them in proportion to the work. (There is one at least.)
  [[nodiscard]] Estimate guess(double work_flop) const {
    const auto above = known_.upper_bound(work_flop);
    const auto& high = above == known_.end() ? *std::prev(above) : *above;
    const bool is_between = above != known_.end() && above != known_.begin();
    const double from = is_between ? std::prev(above)->first : 0;
    const double at = (work_flop - from) / (high.first - from);
    std::vector<double> times = high.second.makespans_s;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double low_s = is_between ? std::prev(above)->second.makespans_s[k] : 0;
      times[k] = low_s + at * (times[k] - low_s);
    }
    return quantile_of(times);
  }
  /// The amounts that were tried.
  [[nodiscard]] std::vector<double> tried() const {
    std::vector<double> works;
    for (const auto& [work, trial] : known_) works.push_back(work);
    return works;
  }

 private:
  struct Trial {
    std::vector<double> makespans_s;
    Estimate quantile;
  };
  [[nodiscard]] Estimate quantile_of(const std::vector<double>& makespans_s) const {
    return quantile_estimate(makespans_s, share_, plan_.confidence, unit_);
  }

  const PointOfWork& point_of_;
  const StatisticsOf& statistics_of_;
  double share_;
  const RunPlan& plan_;
  std::size_t unit_ = 1;  ///< of replications
  std::map<double, Trial> known_;
};

/// Looks for the most work for which an end of the quantile's interval, or its value, is not beyond the deadline.
class LargestWork {
 public:
  LargestWork(QuantileOfWork& quantile, double Estimate::* end, double deadline_s)
      : quantile_(quantile), end_(end), deadline_s_(deadline_s) {
    for (const double work : quantile.tried()) try_out(work);
  }

  /// [flop]. At least one amount must have been tried. 0 where less than `least` would be too much.
  double find(double least) {
    for (double step = 1; fits_ == 0; step = next(step)) {
      if (too_much_ < least) return 0;
      try_out(std::min(just_below(guess(0, too_much_)), too_much_ / step));
    }
    for (double step = 1; too_much_ == kInfinity; step = next(step))
      try_out(std::max(just_below(guess(fits_, fits_ * deadline_s_ / quantile_.at(fits_).*end_ * 2)), fits_ * step));
    for (int trial = 0; too_much_ - fits_ > kTolerance * fits_; ++trial) try_out(between(trial));
    return fits_;
  }

 private:
  static double next(double step) { return step == 1 ? kFirstStep : step * step; }
  static double just_below(double work_flop) { return work_flop * (1 - 0.3 * kTolerance); }

  void try_out(double work_flop) {
    if (quantile_.at(work_flop).*end_ > deadline_s_) too_much_ = std::min(too_much_, work_flop);
    else fits_ = std::max(fits_, work_flop);
  }
  [[nodiscard]] double guess(double low, double high) const {
    constexpr int kBits = 16;  // finer than the tolerance
    const auto left_s = [&](double work_flop) { return deadline_s_ - quantile_.guess(work_flop).*end_; };
    return falling_root(left_s, low, high, kBits);
  }
  /// Just below where it should be, then just above what is known to fit; where times jump guesses fail, and every
  /// fourth is the middle.
  [[nodiscard]] double between(int trial) const {
    const double guessed = just_below(guess(fits_, too_much_)), closing = fits_ * (1 + 0.95 * kTolerance);
    const double work_flop = std::max(guessed, closing);
    return trial % 4 == 3 || work_flop >= too_much_ ? 0.5 * (fits_ + too_much_) : work_flop;
  }

  QuantileOfWork& quantile_;
  double Estimate::* end_;
  double deadline_s_;
  double fits_ = 0, too_much_ = kInfinity;
};

double largest(QuantileOfWork& quantile, double Estimate::* end, double known_flop, double deadline_s) {
  const double known_s = quantile.at(known_flop).*end;
  if (known_s == kInfinity) return 0;     // no upper end, whatever the work
  if (known_s == 0) return kInfinity;     // no lower end
  return LargestWork(quantile, end, deadline_s).find(kLeastShare * known_flop);
}

/// RF of a point that has been run, and its interval.
Estimate late_estimate(const Point& point, const PointStatistics& statistics) {
  const MetricContext context{point.scenario().get(), point.plan.deadline_s, point.plan.confidence, nullptr};
  return metric_estimates(*find_metric("RF"), context, statistics).front();
}

}  // namespace

WorkLimit most_work(const PointOfWork& point_of, const StatisticsOf& statistics_of, double known_flop, double risk,
                    const RunPlan& plan) {
  QuantileOfWork quantile(point_of, statistics_of, 1 - risk, plan);
  const auto limit = [&](double Estimate::* end) { return largest(quantile, end, known_flop, plan.deadline_s); };
  WorkLimit most{{limit(&Estimate::value), limit(&Estimate::high), limit(&Estimate::low)}, {kNotKnown, kNotKnown, kNotKnown}};
  if (most.work_flop.low <= 0) return most;
  const Point check = point_of(most.work_flop.low, plan.seed + 1);
  most.late = late_estimate(check, *statistics_of(check));
  return most;
}

namespace {

/// The request's job with another amount of work, split in the plan's proportions, and as many replications as the plan
/// has come to.
/// @param with_owners the plan's owners, else those of the request.
Point point_with(const PlanRequest& request, const Registries& registries, const Alternative& plan, std::uint64_t seed,
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
  point.state = ready_point(std::move(scenario));
  return point;
}

/// The policies' own runs are of the request's work.
bool is_same_run(const Point& point, const Alternative& plan) {
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

/// Runs a single point with all its makespans gathered. @throws RunError.
PointOutcome run_point(const Point& point, const StudyManner& manner) {
  PointOutcome outcome = run_with_makespans({point}, manner).front();
  if (!outcome.failure.empty()) throw RunError(outcome.failure);
  return outcome;
}

/// Whether the owners of draws take longer to make than what is simulated with them: then whoever remembers them needs
/// no other process.
bool is_mostly_draws(const Point& point) {
  const Scenario& scenario = *point.scenario();
  const bool is_limited = point.plan.timeout_s > 0 && point.plan.timeout_was_asked;
  return replications_per_draw(scenario) > 0 && can_go_at_once(scenario) && !is_limited &&
         engine_for(point.plan.engine, scenario) == Engine::direct;
}

}  // namespace

void find_work_limits(std::vector<Alternative>& plans, const PlanRequest& request, const Registries& registries,
                      const StudyManner& manner) {
  if (!request.deadline_s || !request.risk) return;
  BatchRunner runner;  // of all trials of all plans
  StudyManner here = manner;
  here.here = &runner;
  for (Alternative& plan : plans) {
    if (!plan.is_complete()) continue;
    const PlanRequest job = about_row(request, plan.name());
    const auto point_of = [&](double work_flop, std::uint64_t seed) {
      PlanRequest other = job;
      other.work_flop = work_flop;
      // Owners that are coarse for the plan's job are the same for one about as long; another has its own.
      const bool is_alike = work_flop > 0.5 * job.work_flop && work_flop < 2 * job.work_flop;
      Point point = point_with(other, registries, plan, seed, is_alike);
      point.plan.runs_steps = false;  // no mean is told
      return point;
    };
    const auto statistics_of = [&](const Point& point) {
      if (is_same_run(point, plan)) return plan.statistics;
      manner.on_run("looking for the most work by '" + plan.name() + "'");
      return run_point(point, is_mostly_draws(point) ? here : manner).statistics;
    };
    RunPlan promised = plan.plan;
    promised.confidence = promise_confidence(plans.size(), plan.plan.confidence);
    plan.most_work = most_work(point_of, statistics_of, request.work_flop, *request.risk, promised);
  }
}

std::vector<IntervalTrial> try_intervals(const Alternative& plan, const PlanRequest& request,
                                         const Registries& registries, const StudyManner& manner) {
  const PlanRequest job = about_row(request, plan.name());
  std::vector<IntervalTrial> trials;
  try {
    const auto said_s = guessed_interval_s(job, registries);
    if (!said_s) return trials;
    constexpr double kFarShorter = 5, kFactor = 4;
    std::vector<double> others_s{*said_s / kFactor, *said_s * kFactor};
    if (*said_s * kFarShorter < kSessionOfPeople_s) others_s = {kSessionOfPeople_s};
    for (const double interval_s : others_s) {
      manner.on_run("trying owners' intervals of " + duration_text(interval_s));
      PlanRequest other = job;
      other.options.overrides.push_back("owner.interval=" + number_text(interval_s) + "s");
      Point point = point_with(other, registries, plan, plan.plan.seed, false);
      const PointOutcome outcome = run_point(point, manner);
      Experiment tried;
      tried.metrics = plan_metrics(request.deadline_s.has_value());
      point.values = {plan.name()};
      trials.push_back({interval_s, alternative(summarise_point(tried, point, outcome), point, outcome, request,
                                                plan.plan.confidence)});
    }
  } catch (const InputError&) {  // lengths that no interval scales
    trials.clear();
  }
  return trials;
}

}  // namespace nowsim
