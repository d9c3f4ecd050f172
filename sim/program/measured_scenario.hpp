// A scenario whose owners' or links' parameters were measured (measured_owner.hpp): which replications see the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/owners/measured_owner.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// How many successive replications see the same draw of measured parameters; 0 where all are known.
std::uint64_t replications_per_draw(const Scenario& scenario);

/// Successive replications that are not independent of one another: those of a draw, or antithetic pairs; else 1.
std::uint64_t dependent_replications(const Scenario& scenario);

/// What its owners' and links' parameters were measured by, in order, each once.
std::vector<Measurement> measurements(const Scenario& scenario);

/// The scenario as the replications of one draw see it, or those that are run again a step to its side: all parameters
/// are known.
Scenario as_drawn(const Scenario& scenario, const FitDraw& draw);

/// The scenarios that a scenario's replications see, draw by draw: of known parameters the scenario itself.
class ScenarioDraws {
 public:
  /// The scenario outlives it.
  explicit ScenarioDraws(const Scenario& scenario) : scenario_(scenario), per_draw_(replications_per_draw(scenario)) {}
  /// A replication's; until that of another draw is asked for.
  const Scenario& of(std::uint64_t replication);
  /// As many of the next replications as see one draw.
  [[nodiscard]] Batch next_of(const Batch& left) const;

 private:
  const Scenario& scenario_;
  std::uint64_t per_draw_, number_ = 0;
  std::optional<Scenario> drawn_;
};

/// The places (parameter_steps.hpp) of the replications that are run again with a batch: its own, or none.
Batch stepped_places(const Scenario& scenario, const Batch& batch);

}  // namespace nowsim
