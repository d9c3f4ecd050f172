// Several replications side by side, so that there are lanes enough to be served together.
#include "sim/engines/direct/engine.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/engines/direct/replication.hpp"
#include "sim/engines/direct/superstep_lanes.hpp"
#include "sim/engines/ranks/whole_restarts.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

/// About so many lanes are under way at a time: enough for registers to be full, few enough for the first cache.
constexpr std::size_t kLanes = 64;

/// Replications of ranks' coroutines.
class DirectBatch {
 public:
  DirectBatch(const Scenario& scenario, const Batch& batch, RouteTable& routes, FramePool& frames,
              const ResultSink& sink, const std::optional<std::size_t>& width)
      : n_(scenario.size()), controls_(scenario.controls.get()), next_(batch.first),
        end_(batch.first + batch.count), sink_(sink),
        lanes_(scenario.owners, scenario.seed, slots(scenario, batch)), result_(empty_result(scenario)),
        pending_(lanes_.count()), serving_(lanes_.count()), waiting_(lanes_.count()) {
    if (width) lanes_.use_width(*width);
    for (std::size_t s = 0; s < slots(scenario, batch); ++s)
      slots_.push_back(std::make_unique<DirectReplication>(scenario, lanes_, routes, frames, s, pending_));
  }

  /// Returns the steps of paths as DirectEngine::run.
  std::uint64_t run() {
    for (auto& slot : slots_) ending_.push_back(slot.get());
    begin(std::exchange(ending_, {}));
    while (!pending_.empty() || !over_.empty()) {
      if (!over_.empty()) conclude();
      else serve();
    }
    return task_steps_;
  }

 private:
  static std::size_t slots(const Scenario& scenario, const Batch& batch) {
    return std::max<std::size_t>(1, std::min<std::size_t>(kLanes / scenario.size(), batch.count));
  }
  /// Begins replications in slots that are free, as long as there are any.
  void begin(std::span<DirectReplication* const> slots) {
    openings_.clear();
    for (std::size_t k = 0; k < slots.size() && next_ < end_; ++k) {
      openings_.push_back({slots[k]->first_lane() / n_, next_});
      slots[k]->open(next_++);
    }
    lanes_.open(openings_);
    const std::uint64_t before = lanes_.steps();
    for (auto* slot : slots.first(openings_.size())) {
      slot->start();
      if (slot->is_over()) over_.push_back(slot);
    }
    task_steps_ += lanes_.steps() - before;
  }

  /// Serves the lanes that are pending, and lets their replications go on.
  void serve() {
    std::swap(serving_, pending_);
    const std::span<const std::uint32_t> lanes = serving_.lanes();
    const std::uint64_t before = lanes_.steps();
    lanes_.serve(lanes);
    // A slot's lanes are side by side in the list but for rare cases, in which it goes on again, to no effect.
    for (std::size_t k = 0; k < lanes.size();) {
      DirectReplication& slot = *slots_[lanes[k] / n_];
      const std::size_t first = slot.first_lane();
      for (; k < lanes.size() && lanes[k] - first < n_; ++k) slot.served(lanes[k] - first);
      if (slot.is_computing()) continue;
      slot.go_on();
      if (slot.is_over()) over_.push_back(&slot);
    }
    serving_.clear();
    task_steps_ += lanes_.steps() - before;
  }

  /// Lets the lanes of replications that are over wait until their makespans, for the owners' times; begins others.
  void conclude() {
    for (const auto* slot : over_)
      for (std::size_t i = 0; i < n_; ++i) {
        const std::size_t lane = slot->first_lane() + i;
        lanes_.ask(lane, slot->makespan_s(), 0);
        waiting_.add(lane);
      }
    if (controls_ != nullptr) lanes_.serve(waiting_.lanes());  // no work: they only go there, and the steps stay
    else lanes_.integrate(waiting_.lanes());
    waiting_.clear();
    ending_.swap(over_);
    for (auto* slot : ending_) {
      slot->write(result_);
      if (controls_ != nullptr) lanes_.write_controls(*controls_, slot->first_lane(), result_.controls);
      sink_(result_);
    }
    begin(ending_);
    ending_.clear();
  }

  std::size_t n_;
  const ControlVariates* controls_;
  std::uint64_t next_, end_;
  const ResultSink& sink_;
  AvailabilityLanes lanes_;
  RunResult result_;
  std::vector<std::unique_ptr<DirectReplication>> slots_;
  PendingLanes pending_, serving_, waiting_;
  std::vector<DirectReplication*> over_, ending_;
  std::vector<AvailabilityLanes::Opening> openings_;
  std::uint64_t task_steps_ = 0;
};

}  // namespace

RunResult empty_result(const Scenario& scenario) {
  RunResult none;
  for (auto& column : none.columns) column.assign(scenario.size(), 0.0);
  if (scenario.controls) none.controls.assign(scenario.controls->count(), 0.0);
  return none;
}

std::optional<std::string> DirectEngine::unsupported_reason(const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.size() && !restarts_as_a_whole(scenario); ++i)
    if (scenario.platform->workstations[i].extras->state_profile && scenario.owners[i]->jobs() != nullptr)
      return "owners' jobs on machines that switch off and on need the engine simgrid";
  for (const LinkProfile& profile : scenario.platform->link_profiles) {
    const Link* link = scenario.platform->link_on_route(profile.link);
    if (profile.quantity == ProfileQuantity::latency) return "links whose latency varies need the engine simgrid";
    if (profile.quantity == ProfileQuantity::bandwidth && link != nullptr && !link->shared)
      return "links that are not shared (FATPIPE) and whose bandwidth varies need the engine simgrid";
  }
  return std::nullopt;
}

std::uint64_t DirectEngine::run(const Scenario& scenario, const Batch& batch, const ResultSink& sink) {
  std::uint64_t task_steps = 0;
  if (restarts_as_a_whole(scenario)) {
    const WholeRestarts restarts(scenario);
    for (std::uint64_t k = 0; k < batch.count; ++k)
      sink(restarts.run(batch.first + k, [&](const Scenario& attempt, std::uint64_t replication) {
        RunResult result;
        task_steps += run(attempt, {replication, 1}, [&](const RunResult& r) { result = r; });
        return result;
      }));
    return task_steps;
  }
  ScenarioDraws draws(scenario, &drawn_owners_);
  for (Batch left = batch; left.count > 0;) {
    const Batch next = draws.next_of(left);
    task_steps += run_one_draw(draws.of(next.first), next, sink);
    left = {next.first + next.count, left.count - next.count};
  }
  return task_steps;
}

std::uint64_t DirectEngine::run_one_draw(const Scenario& scenario, const Batch& batch, const ResultSink& sink) {
  if (const auto reason = unsupported_reason(scenario)) throw InputError(cannot_run_text(*reason));
  auto& routes = routes_[scenario.platform];
  if (!routes) routes = std::make_unique<RouteTable>(scenario.platform);
  SuperstepsDone done;
  if (const auto own = paths_at_once(scenario, *routes)) done = run_supersteps(scenario, *own, batch, sink, width_);
  const Batch left{batch.first + done.replications, batch.count - done.replications};
  if (left.count > 0) done.task_steps += DirectBatch(scenario, left, *routes, *frames_, sink, width_).run();
  return done.task_steps;
}

std::vector<RunResult> run_batch_direct(const Scenario& scenario, const Batch& batch) {
  std::vector<RunResult> results(batch.count);
  DirectEngine().run(scenario, batch, [&](const RunResult& r) { results.at(r.replication - batch.first) = r; });
  return results;
}

}  // namespace nowsim
