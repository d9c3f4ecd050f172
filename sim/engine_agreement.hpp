// Whether the two engines give the same results for the same replications.
#pragma once

#include <cstdint>
#include <string>

#include "sim/scenario.hpp"

namespace nowsim {

/// How far two engines' results are apart that should differ by rounding alone: of the larger number, or for times of
/// the makespan.
inline constexpr double kEngineTolerance = 1e-9;

/// What comparing a scenario's replications on both engines gave.
struct Agreement {
  enum class Kind {
    agree,      ///< every number of every replication, within the tolerance
    reordered,  ///< those replications that differ had simultaneous events, whose order the engines chose differently
    differ,     ///< others too
    contended,  ///< transfers met: SimGrid alone can compute it
    obstacle,   ///< the direct engine cannot run it at all
    failed,     ///< the program cannot end, or throws
  };
  Kind kind = Kind::agree;
  std::uint64_t replications = 0;
  std::uint64_t reordered = 0;   ///< replications that differ in the order of simultaneous events
  double largest_reordered = 0;  ///< relative difference of these
  double largest = 0;            ///< relative difference of the others
  std::string where;             ///< of that: "finish time of workstation 3 in replication 7"; or why there is none
};

/// Runs replications of a scenario on both engines, and compares makespans and all results of each workstation.
Agreement compare_engines(const Scenario& scenario, const Batch& batch);

/// Adds another batch's.
void merge(Agreement& into, const Agreement& more);

/// "agree", "reordered", ...
const char* agreement_name(Agreement::Kind kind);

}  // namespace nowsim
