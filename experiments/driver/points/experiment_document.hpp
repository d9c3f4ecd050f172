// An experiment's file with the flags applied: settings, sweep, claims and figure, not yet points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/reader.hpp"
#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/sweep.hpp"

namespace nowsim {

/// Settings apart from the sweep.
struct ExperimentDocument {
  Settings settings;
  Sweep sweep;
  std::vector<Claim> claims;
  std::optional<Figure> figure;
  NamedFiles files;
  std::string sought;     ///< the key that is solved for, which has an empty setting; "" where nothing is
  bool lacks_sought = false;  ///< that key could not be read: another one may be missing for it
  std::vector<std::string> remarks;
  bool reshaped = false;  ///< by flags: not all is swept or measured that the file says, or other things are
};

/// What is not an experiment at all is thrown; other problems are noted, and reading goes on.
ExperimentDocument read_document(YamlNode root, const std::string& file, const LoadOptions& options,
                                 const Registries& registries, Problems& problems);

}  // namespace nowsim
