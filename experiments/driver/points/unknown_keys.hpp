// Keys that are not known: blocks that are none, and keys that no point asked for, be they misspelt or of another model,
// workload or policy than the chosen.
#pragma once

#include <set>
#include <string>

#include "experiments/driver/points/experiment_document.hpp"

namespace nowsim {

/// Notes each key at the top of the document that is none, before anything that follows from it. One that is a misspelt
/// block's name is then read as that block, or as what is missing in the one that there is; any other goes: nothing else
/// is wrong because of it.
void settle_unknown_blocks(YamlNode& root, const std::string& file, const Registries& registries, Problems& problems);

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
