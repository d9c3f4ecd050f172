// A batch in one SimGrid engine: replications follow one another on its clock.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/engines/simgrid/engine.hpp"
#include "sim/engines/simgrid/replication.hpp"
#include "sim/engines/simgrid/session.hpp"

// How it works (the alternatives that were measured cost 3 to 20 times as much):
// - Each varying resource has one lazy SimGrid profile for the whole batch; a feeder hands it one event at a time.
// - When a replication ends at clock t, the next one starts at the latest date that any profile has already announced;
//   each feeder bridges the time up to it and then begins the next replication's path. So replications are shifted
//   copies of what they would be alone, and nothing of one reaches another.
// - Ranks block inside their actors, so their coroutines never suspend. Messages are matched by Mailbox, and only the
//   transfer itself is SimGrid's.
// - Where machines switch off, actors die with them: then actors are made anew for each replication.

namespace nowsim {
namespace {

/// The slowest rank's mean computing time, as a first idea of T; 0 where there is no work.
double expected_time(const Scenario& scenario) {
  double longest = 0;
  for (std::size_t i = 0; i < scenario.size(); ++i)
    if (const double speed = scenario.available_speed(i); scenario.share_flop[i] > 0 && speed > 0)
      longest = std::max(longest, scenario.share_flop[i] / speed);
  return std::isfinite(longest) ? longest : 0;
}

/// surf/precision [s] for makespans like this one: 1e-9 s is exact to the bit as long as it stays well above the clock's
/// last place; short jobs need it smaller, jobs of weeks larger.
double clock_precision(double typical_s) {
  if (typical_s <= 0) return 1e-12;
  return std::max(std::min(1e-9, 2.7e-12 * typical_s), 8e-14 * typical_s);
}

/// Up to where the clock may go with a precision; at least 45 typical makespans.
double clock_limit(double precision_s) { return precision_s / (8 * 0x1p-52); }

class SimGridBatch {
 public:
  SimGridBatch(const Scenario& scenario, const Batch& batch, const BatchProgress& progress)
      : scenario_(scenario), part_{std::max(progress.typical_time_s, expected_time(scenario)), {}},
        clock_{{batch.first + progress.done, 0}}, end_(batch.first + batch.count),
        precision_s_(clock_precision(part_.typical_time_s)) {}

  std::string run() {
    namespace s4u = simgrid::s4u;
    s4u::Engine& engine = open_simgrid(scenario_.platform->simgrid_xml(), scenario_.platform->source, precision_s_,
                                       scenario_.workload->program().user_code.stack_kib);
    open_fat_pipes(*scenario_.platform);
    replication_.emplace(scenario_, clock_, look_ahead(), [this] { conclude(); },
                         [this](const std::string& sentence) { fail(sentence); });
    s4u::Engine::on_deadlock_cb([this] {
      if (!clock_.over && failure_.empty()) failure_ = replication_->deadlock();
      clock_.over = true;
    });
    replication_->start();
    engine.run();
    if (!failure_.empty()) throw RunError(failure_);
    Serializer out;
    out.put(part_);
    return out.take();
  }

 private:
  [[nodiscard]] double look_ahead() const { return part_.typical_time_s > 0 ? 4 * part_.typical_time_s : 1.0; }

  /// A replication has ended.
  void conclude() {
    const bool clock_too_large = simgrid_clock_s() > clock_limit(precision_s_);
    part_.typical_time_s = std::max(part_.typical_time_s, replication_->makespan_s());
    // The first replication of an engine may find that its precision was chosen for much shorter jobs: it is run again.
    if (clock_too_large && part_.results.empty() && clock_precision(part_.typical_time_s) > precision_s_) {
      clock_.over = true;
    } else {
      keep_result();
      clock_.over = clock_too_large || profiles_too_long() || clock_.origin.replication + 1 == end_;
    }
    replication_->stop_drivers();
    if (clock_.over) replication_->dismiss();
    else schedule_next();
  }

  void keep_result() {
    RunResult& result = part_.results.emplace_back();
    result.replication = clock_.origin.replication;
    result.makespan_s = replication_->makespan_s();
    for (const Quantity q : kAllQuantities)
      for (std::size_t i = 0; i < scenario_.size(); ++i) result[q].push_back(replication_->recorded(i, q));
  }

  /// SimGrid keeps all events of a profile: a new engine then goes on, so that memory stays bounded.
  [[nodiscard]] bool profiles_too_long() {
    constexpr std::uint64_t kMostEvents = 4'000'000;
    return replication_->machines().events() > kMostEvents;
  }

  void schedule_next() {
    SimGridMachines& machines = replication_->machines();
    machines.set_look_ahead(look_ahead());
    clock_.origin = {clock_.origin.replication + 1, machines.announced_until_s()};
    SimGridTimer::set(clock_.origin.date_s, [this] { replication_->start(); });
  }

  void fail(const std::string& sentence) {
    if (failure_.empty()) failure_ = sentence;
    clock_.over = true;
    replication_->stop_drivers();
    simgrid::s4u::Actor::kill_all();
  }

  const Scenario& scenario_;
  BatchPart part_;
  BatchClock clock_;
  std::uint64_t end_;
  double precision_s_;
  std::optional<SimGridReplication> replication_;
  std::string failure_;
};

}  // namespace

std::string run_in_simgrid(const Scenario& scenario, const Batch& batch, const BatchProgress& progress) {
  return SimGridBatch(scenario, batch, progress).run();
}

}  // namespace nowsim
