// How many replications a point gets, on which engine, and how its estimates are made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/metrics/metrics.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// What may run a point: the direct engine where it is exact and else SimGrid, or one of them alone.
enum class EngineChoice { automatic, direct, simgrid };
/// "auto", "direct", "simgrid".
const char* engine_name(EngineChoice choice);
/// All of them, in the order of EngineChoice.
const std::vector<std::string>& engine_names();

/// A point's share of the block `run:`.
struct RunPlan {
  std::uint64_t replications = 1000;  ///< a fixed number, or the most where it may stop earlier
  double precision = 0;               ///< relative half-width to stop at; 0: a fixed number
  const Metric* precision_of = find_metric("tau");  ///< whose half-width
  std::uint64_t least = 100;          ///< the fewest replications before a precision may stop
  double confidence = 0.95;
  double indifference = 0;            ///< of a selection, which stops points together (decision.hpp); 0: none
  const Metric* decide_by = find_metric("tau");  ///< what it compares
  double deadline_s = 0;              ///< tau_d of the risk factor; 0: none
  double timeout_s = 0;               ///< the longest a batch, a split's search, a point's making may take; 0: no limit
  bool timeout_was_asked = true;      ///< by the user: what takes long is meant
  std::uint64_t seed = 1;
  EngineChoice engine = EngineChoice::automatic;
  const VarianceReduction* variance_reduction = &kNoVarianceReduction;
  bool is_of_series = false;          ///< as MetricContext's

  [[nodiscard]] bool decides() const { return indifference > 0; }
  /// Whether there may be fewer replications than the most.
  [[nodiscard]] bool may_stop() const { return precision > 0 || decides(); }
  [[nodiscard]] StoppingRule rule() const { return {precision, least, replications}; }
  /// The interval that the stopping rule looks at.
  [[nodiscard]] Estimate watched(const MetricContext& context, const PointStatistics& statistics) const {
    return precision_of->estimate(context, statistics).front();
  }
};

}  // namespace nowsim
