// Trial runs of a split: some replications of a scenario with given shares, as often as wanted, at little more than the
// engine's own cost.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// What the replications of a split gave.
struct PilotRun {
  std::vector<double> makespan_s;           ///< T, per replication
  std::vector<std::uint32_t> last;          ///< whose T_i was longest, per replication (of several: the first); servers apart
  std::vector<Moments> finish_s;            ///< T_i, per workstation; only where asked for
  // T_i is when a rank finished; where all finish at once, as behind a barrier, for how long it computed.
};

/// Runs splits of one scenario, all on the same replications (common random numbers). Splits are deterministic: equal
/// shares give equal results.
class Pilot {
 public:
  /// `scenario`'s own shares do not matter. Where the direct engine meets contention, SimGrid runs this split and all
  /// later ones, if that is allowed: both give the same numbers but for rounding where neither meets any.
  Pilot(Scenario scenario, Engine engine, bool may_fall_back)
      : scenario_(std::move(scenario)), engine_(engine), may_fall_back_(may_fall_back) {}

  /// The result is there until the next run. @throws RunError (for contention, too, where it may not
  /// fall back), InputError.
  const PilotRun& run(std::span<const double> share_flop, const Batch& replications, bool with_finish_times = false);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  /// That ran last.
  [[nodiscard]] Engine engine() const { return engine_; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  void run_direct(const Batch& replications, bool with_finish_times);
  void run_simgrid(const Batch& replications, bool with_finish_times);
  void record(const RunResult& result, std::uint64_t first);

  Scenario scenario_;
  Engine engine_;
  bool may_fall_back_;
  DirectEngine direct_;
  PilotRun run_;
  std::vector<double> finish_s_;  // of the replications at hand, a replication's side by side; where asked for
  std::uint64_t runs_ = 0;
};

}  // namespace nowsim
