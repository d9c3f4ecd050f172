// What an experiment says of all its points: its sections, title and metrics; and keys that none of them asks for.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/reader.hpp"

namespace nowsim {

/// Sections hold keys, not values; and what holds for the whole experiment cannot differ between its points. `asked`
/// learns of those that are wrong.
void check_sections(const ExperimentDocument& document, Problems& problems, std::set<std::string>& asked);

/// Whether a key holds for the whole experiment, and so cannot be swept.
bool holds_for_all_points(const std::string& key);

/// Title and metrics, of those that are known.
void read_experiment(Reading& reading, const Registry<Metric>& known, Experiment& experiment);

/// What reading all points has shown.
struct PointsRead {
  const std::set<std::string>& complete;  ///< blocks that were read to their end at some point
  bool shares_are_idle;                   ///< no point's program uses the shares of the split
};

/// Keys that no point asked for, or that changed nothing: problems, or the experiment's remarks.
void report_unknown_keys(const ExperimentDocument& document, const Registries& known,
                         std::set<std::string> asked, const PointsRead& points, Problems& problems,
                         Experiment& experiment);

}  // namespace nowsim
