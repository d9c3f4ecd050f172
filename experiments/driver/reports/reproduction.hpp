// A figure of a paper made anew: the sweep into a store, the CSV, the picture and the verdicts on the paper's claims.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/points/changed_experiment.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"

namespace nowsim {

/// What reproducing an experiment made.
struct Reproduction {
  SweepOutcome sweep;
  std::vector<ClaimResult> claims;
  std::vector<WrittenFile> files;  ///< CSV, splits' CSV, then script, SVG, PNG and PDF, then the claims' CSV; those that
                                   ///< were made
  std::string no_picture;          ///< why there is none, "" where there is one or none is described
};

/// Runs an experiment into the store and writes NAME.csv, NAME-splits.csv (where splits were found by simulation),
/// NAME.gp, NAME.svg, NAME.png, NAME.pdf and NAME-claims.csv. `changes`: what it asks for otherwise than the experiment
/// whose claims it has.
/// @throws what sweep_into and write_file throw; a picture that cannot be drawn is no_picture.
Reproduction reproduce(BatchStore& store, const std::string& name, const Experiment& experiment,
                       const ExperimentChanges& changes, const RunOptions& options);

}  // namespace nowsim
