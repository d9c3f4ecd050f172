// What is told, or refused, of a run before it begins: how long it takes, what it keeps, what its engine and its machines' ways
// will not have; and how jobs meet recorded paths.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"

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

/// Before anything is run, by the expected times; "" where no series is replayed.
std::string replaying_expected(const Experiment& experiment);
/// Where a stationary process has intervals of which what is left at a random moment has no variance; "" where none has.
std::string endless_beginnings(const Experiment& experiment);
/// By the longest replications of the points that ran.
std::string replaying_met(const Experiment& experiment, const std::vector<PointOutcome>& outcomes);

/// Sentences, each once.
struct RunRefusals {
  std::vector<std::string> certain;   ///< what `run` would say, with the point where there are several
  std::vector<std::string> possible;  ///< ways that are missing, of jobs that take long to ask whether they need them
};

/// Of all points that can be run: an engine that cannot run them, ranks that share cores with owners' jobs, and what
/// lies between machines that have ranks. Where a way is missing, not every program needs it: one replication, of those
/// that take no longer than a second, tells whether this one does. Programs with code of the user's are not run.
RunRefusals run_refusals(const Experiment& experiment);

}  // namespace nowsim
