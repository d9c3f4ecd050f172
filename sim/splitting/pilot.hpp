// Trial runs of a split: some replications of a scenario with given shares, as often as wanted, at little more than the
// engine's own cost.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

struct PilotRun {
  std::vector<double> makespan_s;           ///< T, per replication
  std::vector<std::uint32_t> last;          ///< whose T_i was longest, per replication (of several: the first); servers apart
  std::vector<double> times_s;              ///< T_i, a replication's side by side; only where asked for
  // T_i is when a rank finished; where all finish at once, as behind a barrier, for how long it computed.
};

/// Runs splits of one scenario, all on the same replications (common random numbers). Splits are deterministic: equal
/// shares give equal results.
class Pilot {
 public:
  /// `scenario`'s own shares do not matter.
  Pilot(Scenario scenario, Engine engine) : scenario_(std::move(scenario)), engine_(engine) {}

  /// The result is there until the next run. @throws RunError, InputError.
  const PilotRun& run(std::span<const double> share_flop, const Batch& replications, bool with_times = false);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] Engine engine() const { return engine_; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  void run_simgrid(const Batch& replications);
  void record(const RunResult& result, std::uint64_t first);

  Scenario scenario_;
  Engine engine_;
  DirectEngine direct_;
  PilotRun run_;
  std::uint64_t runs_ = 0;
};

}  // namespace nowsim
