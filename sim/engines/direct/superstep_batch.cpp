// What has to be the same for all ranks, at all times; batches: replications that are all alike once, others in blocks.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/base/error.hpp"
#include "sim/engines/direct/superstep_lanes.hpp"
#include "sim/engines/ranks/diagnostics.hpp"

namespace nowsim {
namespace {

/// A sum of many terms, with what rounding took from it (Neumaier 1974): equal terms would be rounded the same way
/// millions of times.
class ExactSum {
 public:
  explicit ExactSum(double first) : sum_(first) {}
  void add(double term) {
    const double sum = sum_ + term;
    lost_ += sum_ >= term ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_, lost_ = 0;
};

/// The steps' lengths do not depend on when they are, so those of one root that repeat are as long.
class DedicatedSteps {
 public:
  DedicatedSteps(const Scenario& scenario, const std::vector<BroadcastPart>& parts)
      : network_(*scenario.network),
        waits_(parts), work_(parts.size(), 0.0), work_flop_(work_), per_flop_s_(speeds_flops(scenario)) {
    known_s_.assign(parts.size(), kUnknown);
    for (double& speed : per_flop_s_) speed = 1 / speed;
  }

  /// From t0 to the latest end [s].
  double length_s(const Superstep& step) {
    if (!step.repeats) begin_anew(step);
    ++count_;
    double& known = known_s_[static_cast<std::size_t>(step.root)];
    if (known < 0) {
      known = latest_s(step);
      known_roots_.push_back(step.root);
    }
    return known;
  }
  void write(RunResult& result) {
    count_work();
    result[Quantity::work_flop] = work_flop_;
    for (std::size_t i = 0; i < work_flop_.size(); ++i)
      result[Quantity::active_s][i] = work_flop_[i] * per_flop_s_[i];
  }

 private:
  static constexpr double kUnknown = -1;

  void begin_anew(const Superstep& step) {
    count_work();
    message_s_ = network_.message_s(whole_bytes(step.bytes));
    for (const int root : known_roots_) known_s_[static_cast<std::size_t>(root)] = kUnknown;
    known_roots_.clear();
    for (std::size_t i = 0; i < work_.size(); ++i) work_[i] = step.work_of(i);
  }
  /// Of the steps that repeated.
  void count_work() {
    for (std::size_t i = 0; i < work_.size(); ++i) work_flop_[i] += count_ * work_[i];
    count_ = 0;
  }
  [[nodiscard]] double latest_s(const Superstep& step) const {
    const double *waits = waits_.from(step.root), *work = work_.data(), *per_flop_s = per_flop_s_.data();
    return largest(work_.size(), [&](std::size_t i) { return waits[i] * message_s_ + work[i] * per_flop_s[i]; });
  }

  UniformNetwork network_;
  Waits<double> waits_;
  std::vector<double> known_s_;  // per root, of the steps that repeat
  std::vector<int> known_roots_;
  std::vector<double> work_, work_flop_, per_flop_s_;
  double count_ = 0, message_s_ = 0;
};

/// A program whose steps have messages on dedicated machines and a uniform network: in each step rank i computes from
/// t0 + (rounds + sends)·T_M on, and the next step's t0 is the latest end. Within rounding, which does not grow with the
/// number of steps, it is what its messages, computes and barriers come to one by one. Steps that repeat cost the same for
/// any number of ranks.
/// @param result columns of zeros; its number stays as it is.
/// @throws std::invalid_argument for roots that do not exist, and amounts that cannot be.
void run_on_dedicated(const Scenario& scenario, RunResult& result) {
  const Supersteps& program = *scenario.workload->program().supersteps;
  const auto parts = broadcast_parts(program.broadcast_tree().value(), static_cast<int>(scenario.size()));
  DedicatedSteps steps(scenario, parts);
  Posted posted(parts);
  ExactSum now_s(0);
  const auto sequence = program.begin(scenario.share_flop);
  while (const Superstep* step = sequence->next()) {
    if (!step->repeats) check_step(*step, scenario.size(), true);
    posted.add(*step);
    now_s.add(steps.length_s(*step) + step->barrier_cost_s);
  }
  steps.write(result);
  posted.write(result[Quantity::messages], result[Quantity::sent_bytes]);
  result.makespan_s = now_s.value();
  std::ranges::fill(result[Quantity::finish_s], result.makespan_s);
}

/// About so many lanes are under way at a time: each superstep passes over all of them several times.
constexpr std::size_t kSuperstepLanes = 384;

/// Without owners nothing is drawn.
bool replications_are_alike(const Scenario& scenario, std::span<const OwnPath> own_paths) {
  return std::ranges::all_of(scenario.owners, &Owner::is_dedicated) &&
         (own_paths.empty() || std::ranges::all_of(scenario.bandwidth, &Owner::is_dedicated));
}

}  // namespace

bool can_go_at_once(const Scenario& scenario) {
  const Supersteps* program = scenario.workload->program().supersteps.get();
  if (program == nullptr || scenario.workload->program().ends_with_first_rank ||
      scenario.platform->has_state_profiles())
    return false;
  const auto feels_the_job = [](const OwnerPtr& owner) { return owner->jobs() != nullptr; };
  if (std::ranges::any_of(scenario.owners, feels_the_job)) return false;
  if (program->broadcast_tree() && program->moves_own_bytes()) return false;  // they might meet on links
  if (program->broadcast_tree() && scenario.size() > 1) return scenario.network && scenario.bandwidth.empty();
  if (!program->moves_own_bytes()) return true;
  return scenario.platform->has_network() && scenario.platform->link_profiles.empty();
}

std::optional<std::vector<OwnPath>> paths_at_once(const Scenario& scenario, RouteTable& routes) {
  if (!can_go_at_once(scenario)) return std::nullopt;
  std::vector<OwnPath> paths;
  if (!scenario.workload->program().supersteps->moves_own_bytes()) return paths;
  std::set<std::uint32_t> taken;
  try {
    for (std::size_t i = 0; i < scenario.size(); ++i) {
      const RouteTable::Route& path = routes.find_own(i);
      for (const auto& [link, times] : path.crossings)
        if (times > 1 || !taken.insert(link).second) return std::nullopt;
      const bool varies = !scenario.bandwidth.empty() && !scenario.bandwidth[i]->is_dedicated();
      if (varies && (path.crossings.size() != 1 ||
                     routes.links()[path.crossings[0].link].bandwidth_Bps != path.bandwidth_Bps))
        return std::nullopt;
      paths.push_back({path.latency_s, path.bandwidth_Bps});
    }
  } catch (const InputError&) {
    return std::nullopt;  // for the rank to tell that is about to use it
  }
  return paths;
}

SuperstepsDone run_supersteps(const Scenario& scenario, std::span<const OwnPath> own_paths, const Batch& batch,
                              const ResultSink& sink, const std::optional<std::size_t>& width) {
  if (batch.count == 0) return {};
  const bool are_alike = replications_are_alike(scenario, own_paths);
  const std::size_t most_slots = are_alike ? 1 : std::max<std::size_t>(1, kSuperstepLanes / scenario.size());
  const std::size_t slots = std::min<std::size_t>(most_slots, batch.count);
  RunResult result = empty_result(scenario);
  SuperstepsDone done;
  const auto tell = [&] {
    result.replication = batch.first + done.replications++;
    sink(result);
  };
  try {
    if (are_alike && scenario.workload->program().supersteps->broadcast_tree() && scenario.size() > 1) {
      run_on_dedicated(scenario, result);
    } else {
      SuperstepLanes lanes(scenario, own_paths, slots, width);
      do {
        const auto count = std::min<std::uint64_t>(slots, batch.count - done.replications);
        if (!lanes.run(batch.first + done.replications, count)) return done;
        if (done.replications == 0) lanes.write_common(result);
        for (std::size_t slot = 0; slot < count; ++slot) {
          lanes.write(slot, result);
          tell();
        }
        done.task_steps = lanes.task_steps();
      } while (!are_alike && done.replications < batch.count);
    }
    while (done.replications < batch.count) tell();
    return done;
  } catch (const std::invalid_argument&) {
    return {};  // all replications have the same steps, so the first has met it
  }
}

}  // namespace nowsim
