// Scenarios' platforms are asked once, and their programs once per platform.
#include "experiments/driver/running/run_refusals.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/ranks/diagnostics.hpp"
#include "sim/platform/worker_process.hpp"
#include "sim/platform/routes.hpp"
#include "sim/program/supersteps.hpp"

namespace nowsim {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;
using PlatformPtr = std::shared_ptr<const Platform>;

/// The machines that have ranks, each once, in their order.
std::vector<std::size_t> machines_with_ranks(const Scenario& scenario) {
  std::set<std::size_t> machines;
  for (const int machine : rank_machines(scenario)) machines.insert(static_cast<std::size_t>(machine));
  return {machines.begin(), machines.end()};
}

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

bool moves_own_bytes(const ProgramDescription& program) {
  return program.supersteps != nullptr && program.supersteps->moves_own_bytes();
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
      if (moves_own_bytes(program))
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
    std::vector<std::size_t> machines = machines_with_ranks(scenario);
    const auto [known, is_new] = ways_.try_emplace({scenario.platform, machines});
    if (is_new) known->second = missing_way(*scenario.platform, machines);
    return known->second;
  }

  void refuse(const Point& point, const std::string& sentence) {
    if (!told_.insert(sentence).second) return;
    const ResultTable summary{experiment_.title, experiment_.file, experiment_.axes, {}, {}};
    ResultRow row;
    row.values = point.values;
    const std::string where = point_text(summary, row);
    found_.certain.push_back(sentence + (where.empty() ? "" : " (at the point " + where + ")"));
  }

  const Experiment& experiment_;
  RunRefusals found_;
  std::set<std::string> told_;
  std::map<PlatformPtr, std::string> own_paths_;
  std::map<std::pair<PlatformPtr, std::vector<std::size_t>>, std::string> ways_;
  std::set<std::pair<PlatformPtr, std::shared_ptr<const Workload>>> asked_;
};

}  // namespace

RunRefusals run_refusals(const Experiment& experiment) { return Refusals(experiment).look(); }

}  // namespace nowsim
