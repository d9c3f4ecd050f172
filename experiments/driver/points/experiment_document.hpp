// An experiment's file with the flags applied: settings, sweep, claims and figure, not yet points.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/reader.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "sim/base/keys.hpp"

namespace nowsim {

/// The keys at the top of an experiment's file.
const KeyTable& experiment_keys();

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

/// Immutable; point builders (point_builder.hpp) read it.
struct ExperimentSource {
  ExperimentSource(ExperimentDocument read, Registries known)
      : document(std::move(read)), registries(std::move(known)) {}

  ExperimentDocument document;
  Registries registries;
};

/// "owner.TH = 0.3" for each --set key=value, the last one of a key; without those that pictures tell elsewhere
/// (replications, seed, engine, confidence), that change how a picture looks, or that say what is measured. A flag that
/// cannot be read is left out.
std::vector<std::string> flag_changes(const LoadOptions& options);

/// Sections hold keys, not values; and what holds for the whole experiment cannot differ between its points. `asked`
/// learns of those that are wrong.
void check_sections(const ExperimentDocument& document, Problems& problems, std::set<std::string>& asked);

/// Whether a key holds for the whole experiment, and so cannot be swept.
bool holds_for_all_points(const std::string& key);

/// Title and metrics, of those that are known.
void read_experiment(Reading& reading, const Registry<Metric>& known, Experiment& experiment);

/// What reading all points has shown.
struct PointsRead {
  const std::set<std::string>& asked;     ///< keys that were asked for at some point
  const std::set<std::string>& complete;  ///< blocks that were read to their end at some point
  bool shares_are_idle;                   ///< no point's program uses the shares that the split gives it
};

/// Keys that no point asked for, or that changed nothing: problems, or the experiment's remarks. One that belongs to
/// another choice (TH with the model duty-cycle) is a problem too, unless a flag changed its block: then the file's key
/// is merely left over, which is remarked. So is a policy of the file where shares are idle.
void report_unknown_keys(const ExperimentDocument& document, const Registries& known, const PointsRead& points,
                         Problems& problems, Experiment& experiment);

}  // namespace nowsim
