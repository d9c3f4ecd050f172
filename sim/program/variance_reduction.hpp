// Ways to get narrower intervals from as many replications, by name, and a scenario prepared for one.
#pragma once

#include <cstdint>

namespace nowsim {

struct Scenario;

/// A line of `nowsim list variance-reductions`, and of what `run.variance_reduction` can be.
struct VarianceReduction {
  const char* name;
  const char* summary;
  bool antithetic;  ///< replications come in pairs, 2k and 2k + 1 (antithetic_owner())
  bool controls;    ///< replications record control variates (control_variates.hpp)

  /// How many replications make up one independent observation.
  [[nodiscard]] std::uint64_t unit() const { return antithetic ? 2 : 1; }
};

inline constexpr VarianceReduction kVarianceReductions[] = {
    {"none", "independent replications, plain means", false, false},
    {"antithetic", "replications in pairs, the second with owners' values mirrored", true, false},
    {"control-variates", "means corrected by how the owners happened to deviate from theirs", false, true},
    {"both", "antithetic pairs, and control variates of pairs", true, true},
};
inline constexpr const VarianceReduction& kNoVarianceReduction = kVarianceReductions[0];

/// Gives a scenario the owners and the control variates that this takes; to be called once, when all else is in place.
/// @throws InputError naming the workstation whose owner does not allow it.
void reduce_variance(Scenario& scenario, const VarianceReduction& how);

}  // namespace nowsim
