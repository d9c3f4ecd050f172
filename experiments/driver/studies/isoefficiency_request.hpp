// What is asked of a problem that is to keep its efficiency, as an experiment that solves for its size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// The question; what is not said here the experiment's own solve block says, or else a default.
struct IsoefficiencyRequest {
  std::string file;                      ///< the experiment whose sweep is the family of growing systems
  std::vector<std::string> targets;      ///< efficiencies, as written: "0.5", "70%"
  std::optional<std::string> metric;     ///< that is to have these values
  std::optional<std::string> key;        ///< the problem's size
  std::optional<std::string> from, to;   ///< where it is sought
  std::optional<std::string> tolerance;  ///< share of the efficiency
  std::vector<std::string> along;        ///< swept keys along which the system grows; none: found out
  LoadOptions options;
};

/// All of it as one text, which another question does not have.
std::string question_text(const IsoefficiencyRequest& request);

/// The experiment with `solve:` on top, an outermost axis over the efficiencies, and metrics of its own; without its
/// figure and claims. Only where the metric rises through its target a size counts.
/// @throws InputError, InputErrors naming the flag.
Experiment isoefficiency_experiment(const IsoefficiencyRequest& request, const Registries& registries);

/// "platform.workstations=2,4,8" as an override that sweeps the key. @throws InputError.
std::string sweep_override(const std::string& text);

/// The swept key that holds the efficiencies.
inline constexpr const char* kTargetKey = "solve.equals";

}  // namespace nowsim
