// What running an experiment will take at least: said beforehand where it is much, refused where it cannot be meant.
#pragma once

#include <functional>
#include <string>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// From this wall-clock time [s] on a run is announced: an hour.
inline constexpr double kLongRun_s = 3600;
/// Beyond it [s] a run without a time-out is refused: a year.
inline constexpr double kLongestRun_s = 365 * 86400.0;

/// What replications leave behind until the run's end, so that points can be compared replication by replication, and for
/// quantiles [bytes]: up to kMostEntries (sample.hpp) numbers per point and quantity; of quantiles each time.
double kept_bytes(const Experiment& experiment);

/// A sentence about how long the experiment will take with so many processes, as far as that can be told beforehand
/// (cost_estimate.hpp), or "" where that is less than an hour. A stopping rule may end at its fewest replications, and
/// sizes that are solved for have bounds of their own. `missing_s` says what is still to be simulated [s, on one core];
/// it is only asked where all of it would be long.
/// @throws InputError where that is more than a year and a point without run.timeout has part in it; or where a worker
/// for the largest point, or the replications that metrics keep, need more memory than there is.
std::string long_run_remark(const Experiment& experiment, int jobs, const std::function<double()>& missing_s = nullptr);

}  // namespace nowsim
