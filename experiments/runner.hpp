// Running an experiment's points: batches over child processes, reduced in order, so that any number of jobs gives the
// same bytes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace nowsim {

/// What running a point gave.
struct PointOutcome {
  std::optional<PointStatistics> statistics;  ///< nothing for an infeasible point
  std::optional<Moments> baseline_s;          ///< T of the baseline
  std::string failure;                        ///< why the point could not be completed
  std::string engine = "simgrid";             ///< that ran
};

/// How far a run is.
struct Progress {
  std::size_t points_done = 0, points = 0;
  std::uint64_t replications_done = 0;
  std::uint64_t replications_expected = 0;  ///< the most there can be
};

/// Runs all points with `jobs` child processes at a time. `on_progress` is called after every batch.
/// A point that fails costs only itself; its failure is that of its first batch that fails, whichever child ends first.
std::vector<PointOutcome> run_experiment(const Experiment& experiment, int jobs,
                                         const std::function<void(const Progress&)>& on_progress);

}  // namespace nowsim
