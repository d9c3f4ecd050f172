// What an experiment asks for otherwise than the one whose claims it has: by flags, or as a copy.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

struct ExperimentChanges {
  std::vector<std::string> keys;  ///< "owner.TH = 0.3", "owner.SH not given"
  std::map<std::string, std::vector<std::string>> of_claims;  ///< likewise, of the claim of this id alone

  /// All that matters to this claim, in words; "" where nothing has changed.
  [[nodiscard]] std::string text(const std::string& claim) const;
};

/// How an experiment that was read with these options differs from the file `original` as it stands: in keys that have a
/// part in what claims are about, by their values (0.28 is 28%), and in what its claims check. How exactly something is
/// measured (replications, seed, engine, precision), titles, metrics and figures are none of it. Where all points of
/// another file are the same scenarios, however they are written, no key has changed.
/// @throws InputError where a file cannot be read.
ExperimentChanges changes_beside(const std::string& original, const Experiment& experiment, const LoadOptions& options,
                                 const Registries& registries);

}  // namespace nowsim
