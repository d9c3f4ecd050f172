// Jobs that a machine which goes off ends as a whole: they begin again, from the start, when their machines are all on.
#pragma once

#include <functional>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// Whether it is such a job (ProgramDescription::ends_with_a_machine) on machines that switch off and on.
bool restarts_as_a_whole(const Scenario& scenario);

/// Replications of such jobs, attempt by attempt. An attempt is the job on machines that stay on, begun at the date at
/// which all that have ranks are on; it counts if none of them goes off before its own ranks have finished. Owners go on
/// meanwhile; work, messages and computing times are those of the attempt that counts.
class WholeRestarts {
 public:
  /// Computes one replication of a scenario whose machines stay on.
  using RunAlone = std::function<RunResult(const Scenario&, std::uint64_t replication)>;

  /// The scenario outlives it.
  explicit WholeRestarts(const Scenario& scenario);
  /// @throws RunError where a machine is off for ever, or the job does not fit between failures; what `run` throws.
  [[nodiscard]] RunResult run(std::uint64_t replication, const RunAlone& run) const;

 private:
  const Scenario& scenario_;
  Scenario steady_;                ///< the same on machines that stay on
  std::vector<std::size_t> used_;  ///< workstations with ranks
};

}  // namespace nowsim
