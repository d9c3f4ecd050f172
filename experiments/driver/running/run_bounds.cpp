#include "experiments/driver/running/run_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/ranks/diagnostics.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/platform/routes.hpp"
#include "sim/platform/worker_process.hpp"
#include "sim/program/supersteps.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

/// How many numbers are kept of each entry of replications (sample.hpp) of a point: columns that metrics read, and
/// what a metric that is no mean of them makes of them.
double numbers_kept(const std::vector<const Metric*>& metrics, const RunPlan& plan, std::uint64_t span,
                    const Scenario& scenario) {
  const double workstations = static_cast<double>(scenario.size());
  Gathering gathered;
  double influences = 0, of_machines = 0;
  for (const Metric* metric : metrics) {
    if (metric->exact) continue;
    gathered |= metric->gathers;
    influences += metric->per_workstation ? workstations : 1;
    of_machines = metric->per_workstation ? workstations : of_machines;
  }
  const double controls = scenario.controls ? static_cast<double>(scenario.controls->count()) : 0;
  const double of_sample = span > 1 || plan.variance_reduction != &kNoVarianceReduction ? 2 + controls : 1;
  return of_sample * (1 + (gathered.shares ? 3 : 0) + (gathered.finish ? of_machines : 0)) +
         (gathered.times ? static_cast<double>(TimeBreakdown::kSums) + static_cast<double>(TimeBreakdown::kParts) * of_machines : 0) +
         (plan.deadline_s > 0 ? 1 : 0) + influences;
}

}  // namespace

double kept_bytes(const Experiment& experiment) {
  const bool all_makespans =
      experiment.shows_times() ||
      std::ranges::any_of(experiment.metrics, [](const Metric* m) { return m->gathers.makespans; });
  double values = 0;
  for (const auto& point : experiment.points) {
    if (point.simulated() == nullptr || point.as<OpenSize>() != nullptr) continue;
    const std::uint64_t n = point.plan.replications, span = span_of(n, point.plan.variance_reduction->unit());
    const double scenarios = static_cast<double>(point.simulated()->all().size());
    values += scenarios * numbers_kept(experiment.metrics, point.plan, span, *point.scenario()) *
              std::ceil(static_cast<double>(n) / static_cast<double>(span));
    if ((all_makespans && point.plan.precision == 0) || point.plan.decides()) values += scenarios * static_cast<double>(n);
  }
  return values * sizeof(double);
}

namespace {

/// What a worker takes for a workstation while it simulates [bytes].
constexpr double kBytesPerSimulated = 400;
constexpr std::size_t kManySimulated = 100'000;

void require_memory_to_run(const Experiment& experiment) {
  if (const double bytes = kept_bytes(experiment); bytes > 1e6)
    require_memory(bytes, "keeping what replications contribute to these metrics");
  std::size_t most = 0;
  for (const auto& point : experiment.points)
    if (const auto scenario = point.scenario()) most = std::max(most, scenario->size());
  if (most >= kManySimulated)
    require_memory(kBytesPerSimulated * static_cast<double>(most),
                   "simulating " + std::to_string(most) + " workstations in a process of its own");
}

}  // namespace

std::string long_run_remark(const Experiment& experiment, int jobs, const std::function<double()>& missing_s) {
  require_memory_to_run(experiment);
  double all_s = 0, longest_s = 0;  // on one core, at least
  const Point* longest = nullptr;
  bool is_bounded = true;  // every batch has a time-out that the user asked for
  for (const Point& point : experiment.points) {
    const double cost_s = least_cost_s(point);
    all_s += cost_s;
    is_bounded &= cost_s == 0 || (point.plan.timeout_s > 0 && point.plan.timeout_was_asked);
    if (longest == nullptr || cost_s > longest_s) longest = &point;
    longest_s = std::max(longest_s, cost_s);
  }
  const double processes = std::max(1, jobs);
  if (all_s <= kLongRun_s * processes) return "";
  const double wall_s = (missing_s ? std::min(all_s, missing_s()) : all_s) / processes;
  if (wall_s <= kLongRun_s) return "";
  const std::string where = joined(longest->values);
  const std::string about = "about " + rough_duration(wall_s) + " with " + std::to_string(jobs) +
                            (jobs == 1 ? " process" : " processes") +
                            (where.empty() ? "" : " (longest at the point " + where + ")");
  if (wall_s <= kLongestRun_s || is_bounded) return "this will take " + about + ", by a rough estimate";
  throw InputError(Place{experiment.file, 0, ""},
                   "this would take " + about + ", by a rough estimate, and is not run; if it is meant, say by "
                   "run.timeout how long a batch may take ('--set run.timeout=1d')");
}

namespace {

/// The model of a scenario's owners and links whose series ends first; null where none has one.
const Owner* shortest_series(const Scenario& scenario) {
  const Owner* shortest = nullptr;
  for (const auto* models : {&scenario.owners, &scenario.bandwidth})
    for (const auto& model : *models)
      if (model->replayed_after_s() < (shortest ? shortest->replayed_after_s() : kInfinity)) shortest = model.get();
  return shortest;
}

/// Of the points whose series is replayed: how many, and the shortest series with the longest time against it.
class Replayed {
 public:
  void add(const Scenario& scenario, double longest_s) {
    const Owner* series = shortest_series(scenario);
    constexpr double kRounding = 1e-9;  // a job of just one round meets all of it as well
    if (series == nullptr || longest_s < (1 - kRounding) * series->replayed_after_s()) return;
    ++points_;
    if (longest_s > longest_s_) text_ = series->describe() + " lasts " + duration_text(series->replayed_after_s());
    longest_s_ = std::max(longest_s_, longest_s);
  }
  /// `who_takes`: "jobs are expected to take".
  [[nodiscard]] std::string text(const std::string& who_takes) const {
    if (points_ == 0) return "";
    const std::string where = points_ > 1 ? " (" + std::to_string(points_) + " points)" : "";
    return text_ + ", and " + who_takes + " " + duration_text(longest_s_) + where +
           ": after its end it is replayed from its beginning, so that T varies less than it would with new data";
  }

 private:
  std::size_t points_ = 0;
  double longest_s_ = 0;
  std::string text_;
};

/// How many observations replications stand for.
std::string stretches_text(double stretches) {
  if (stretches == kInfinity) return "";
  if (stretches < 2)
    return "replications that replay the same stretch of a series count as one, so that intervals of means are not "
           "known";
  return "replications begin at random moments of a series that has just " + short_number(stretches) +
         " such stretches that do not overlap: intervals are of so many";
}

}  // namespace

std::string replaying_expected(const Experiment& experiment) {
  Replayed replayed;
  for (const Point& point : experiment.points)
    if (point.as<OpenSize>() == nullptr && point.simulated() != nullptr)
      replayed.add(*point.scenario(), expected_time_s(*point.scenario()));
  return replayed.text("a job is expected to take");
}

std::string endless_beginnings(const Experiment& experiment) {
  constexpr double kVaries = 3;  // of what is left the variance is finite where E|L|^3 is
  for (const Point& point : experiment.points) {
    if (point.simulated() == nullptr) continue;
    for (const auto* models : {&point.scenario()->owners, &point.scenario()->bandwidth})
      for (const auto& model : *models)
        if (const auto form = lane_form(*model, {}); const auto* draws = std::get_if<RenewalDraws>(&form))
          if (const auto lengths = model->renewal(); draws->found_s && lengths && lengths->moment_limit <= kVaries)
            return model->describe() + ": what is left of the interval in which a replication begins has no variance, so "
                   "that averages hardly settle, and intervals of T do not hold what they promise; with a shape above 3 it has";
  }
  return "";
}

std::string replaying_met(const Experiment& experiment, const std::vector<PointOutcome>& outcomes) {
  Replayed replayed;
  double least = kInfinity;
  for (std::size_t p = 0; p < outcomes.size(); ++p) {
    if (!outcomes[p].statistics || experiment.points[p].simulated() == nullptr) continue;
    const Scenario& scenario = *experiment.points[p].scenario();
    const Sample& makespan_s = outcomes[p].statistics->makespan_s;
    replayed.add(scenario, makespan_s.max());
    const double stretches = independent_stretches(scenario, makespan_s);
    if (stretches < static_cast<double>(makespan_s.count())) least = std::min(least, std::floor(stretches));
  }
  const std::string replay = replayed.text("a replication took"), count = stretches_text(least);
  return replay + (replay.empty() || count.empty() ? "" : "; ") + count;
}

namespace {

using Pair = std::pair<std::size_t, std::size_t>;
using PlatformPtr = std::shared_ptr<const Platform>;

/// All there are between few machines; of many those of the first with each, where servers and roots are, and those of
/// neighbours.
std::vector<Pair> ways_between(const std::vector<std::size_t>& machines) {
  constexpr std::size_t kMostForAll = 64;
  const std::size_t n = machines.size();
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k)
      if (n <= kMostForAll || i == 0 || k == i + 1)
        for (const Pair& pair : {Pair{machines[i], machines[k]}, Pair{machines[k], machines[i]}}) pairs.push_back(pair);
  return pairs;
}

/// Ranks that would have to compete with an owner's jobs; "" where there are none.
std::string shared_with_jobs(const Scenario& scenario) {
  std::set<int> taken;
  for (const int machine : rank_machines(scenario)) {
    const auto m = static_cast<std::size_t>(machine);
    if (!taken.insert(machine).second && scenario.owners[m]->jobs() != nullptr)
      return shared_with_jobs_text(scenario.platform->workstations[m].name);
  }
  return "";
}

/// The first machine that has no path of its own to move bytes over; "" where all have.
std::string lacks_own_path(const Platform& platform) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < platform.workstations.size(); ++i) pairs.emplace_back(i, i);
  const auto routes = look_for_routes(platform, pairs).routes;
  const auto none = std::ranges::find_if(routes, [](const Route& r) { return !r.no_route_reason.empty() || !r.is_own(); });
  if (none == routes.end()) return "";
  return no_own_path_text(platform.workstations[static_cast<std::size_t>(none - routes.begin())].name);
}

/// What find_routes() says of the first way that is missing between machines; "" where none is.
std::string missing_way(const Platform& platform, const std::vector<std::size_t>& machines) {
  try {
    find_routes(platform, ways_between(machines));
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

/// What the first replication is refused for, in a process of its own; "" where it is not, nothing where that is not
/// asked or takes too long.
std::optional<std::string> refusal_of_first(const Scenario& scenario, Engine engine) {
  constexpr double kMostEstimated_s = 1, kMost_s = 10;
  if (!scenario.workload->program().user_code.identity.empty()) return std::nullopt;
  if (estimated_cost_s(scenario, engine, 1) > kMostEstimated_s) return std::nullopt;
  const auto first = [&] {
    BatchRunner().run(engine, scenario, {0, 1});
    return std::string();
  };
  const ChildOutcome outcome = run_forked(first, kMost_s);
  if (outcome.kind == ChildOutcome::Kind::input_error) return outcome.text;
  return outcome.kind == ChildOutcome::Kind::done ? std::optional<std::string>("") : std::nullopt;
}

class Refusals {
 public:
  explicit Refusals(const Experiment& experiment) : experiment_(experiment) {}

  RunRefusals look() {
    for (const Point& point : experiment_.points)
      if (point.simulated() != nullptr) look_at(point);
    return std::move(found_);
  }

 private:
  void look_at(const Point& point) {
    const Scenario& scenario = *point.scenario();
    const Engine engine = engine_for(point.plan.engine, scenario);
    if (const auto obstacle = DirectEngine::unsupported_reason(scenario); engine == Engine::direct && obstacle)
      return refuse(point, cannot_run_text(*obstacle));
    if (const std::string shared = shared_with_jobs(scenario); !shared.empty()) return refuse(point, shared);
    look_at_ways(point, scenario, engine);
  }

  /// Generated networks have all ways, and own paths too.
  void look_at_ways(const Point& point, const Scenario& scenario, Engine engine) {
    const ProgramDescription& program = scenario.workload->program();
    if (!program.communicates || scenario.platform->is_generated) return;
    if (!asked_.emplace(scenario.platform, scenario.workload).second) return;
    try {
      if (program.supersteps != nullptr && program.supersteps->moves_own_bytes())
        if (const std::string& none = own_path(scenario.platform); !none.empty()) return refuse(point, none);
      const std::string& missing = way(scenario);
      if (missing.empty()) return;
      const auto refusal = refusal_of_first(scenario, engine);
      if (!refusal) found_.possible.push_back(missing + "; whether the job needs that way only its run tells");
      else if (!refusal->empty()) refuse(point, *refusal);
    } catch (const RunError& e) {  // SimGrid cannot be asked
      found_.possible.emplace_back(e.what());
    }
  }

  const std::string& own_path(const PlatformPtr& platform) {
    const auto [known, is_new] = own_paths_.try_emplace(platform);
    if (is_new) known->second = lacks_own_path(*platform);
    return known->second;
  }
  const std::string& way(const Scenario& scenario) {
    const auto ranks = rank_machines(scenario);
    const std::set<std::size_t> machines(ranks.begin(), ranks.end());
    const auto [known, is_new] = ways_.try_emplace({scenario.platform, machines});
    if (is_new) known->second = missing_way(*scenario.platform, {machines.begin(), machines.end()});
    return known->second;
  }

  void refuse(const Point& point, const std::string& sentence) {
    if (!told_.insert(sentence).second) return;
    const std::string where = point_text(experiment_.axes, point.values);
    found_.certain.push_back(sentence + (where.empty() ? "" : " (at the point " + where + ")"));
  }

  const Experiment& experiment_;
  RunRefusals found_;
  std::set<std::string> told_;
  std::map<PlatformPtr, std::string> own_paths_;
  std::map<std::pair<PlatformPtr, std::set<std::size_t>>, std::string> ways_;  // with the machines that have ranks
  std::set<std::pair<PlatformPtr, std::shared_ptr<const Workload>>> asked_;
};

}  // namespace

RunRefusals run_refusals(const Experiment& experiment) { return Refusals(experiment).look(); }

}  // namespace nowsim
