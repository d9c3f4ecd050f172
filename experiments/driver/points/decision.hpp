// What `run.decide` asks: which value of a swept key is best, by which metric, and how it is told.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/points/point.hpp"
#include "sim/statistics/multiple_comparisons.hpp"

namespace nowsim {

/// Replications whose mean is one observation of a selection: so many that skewed times' means are near enough to
/// normal for what is stated (tests/sim/statistics/multiple_comparisons_test.cpp); whole pairs of antithetic ones.
inline constexpr std::uint64_t kReplicationsPerMean = 20;
/// The fewest replications of each system: the first stage.
inline constexpr std::uint64_t kFirstReplications = 200;

/// A metric that is the mean of something of each replication, from T and the deadline; the smaller, the better.
struct DecidingMetric {
  const char* name;
  bool is_share;  ///< from 0 to 1: an indifference is then no share of it, but a part of 1
  double (*of)(double makespan_s, double deadline_s);
};
std::span<const DecidingMetric> deciding_metrics();
/// Null for metrics that decide nothing.
const DecidingMetric* deciding_metric(const std::string& name);

/// How a plan's selection is to be made. The plan has one.
SelectionRule selection_rule(const RunPlan& plan);

/// How a point compares with those that differ from it in the decided key alone: the one that is selected; measured
/// within the indifference of it; further off; not told yet when the replications ended.
enum class Standing { best, equal, worse, open };
/// "best", "equal", "worse", "open".
const char* standing_name(Standing standing);
const std::vector<std::string>& standing_names();

/// What has been decided about a point.
struct Decided {
  std::string key, metric;
  double asked = 0;         ///< the indifference as it was asked for
  double indifference = 0;  ///< in the metric's unit
  Standing standing = Standing::open;
  std::size_t cell = 0;     ///< the first point of those that it is compared with
};

}  // namespace nowsim
