// How much work fits a deadline at a given risk: root finding on common random numbers.
#pragma once

#include <functional>
#include <memory>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// The most work whose 1 - risk quantile of T is not beyond the deadline.
struct WorkLimit {
  /// [flop]. The interval holds the amounts for which the quantile's own interval holds the deadline, so it covers as
  /// that does, since the quantile grows with the work. Its lower end is the work that fits with that confidence: 0 where there are
  /// too few replications to tell, or nothing fits. The upper one may be infinite.
  Estimate work_flop;
  Estimate late;  ///< RF of the lower end's work, on random numbers of their own; NaN where that is 0
};

/// Makes a point for an amount of work [flop] and a seed. Its shares are in the same proportion for every amount.
using PointOfWork = std::function<Point(double work_flop, std::uint64_t seed)>;
/// Runs a point and gathers its makespans.
using StatisticsOf = std::function<std::shared_ptr<const PointStatistics>(const Point&)>;

/// The limit for the plan's deadline, by as many replications as it says. Work differs from the root by 1e-4 at most
/// (relatively), to the safe side.
/// Takes some ten runs.
/// @param known_flop an amount of work, to begin with.
/// @throws what the functions throw.
WorkLimit most_work(const PointOfWork& point_of, const StatisticsOf& statistics_of, double known_flop, double risk,
                    const RunPlan& plan);

/// RF of a point that has been run, and its interval.
Estimate late_estimate(const Point& point, const PointStatistics& statistics);

}  // namespace nowsim
