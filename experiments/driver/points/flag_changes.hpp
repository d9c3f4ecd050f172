// What flags changed of an experiment, in the words of its pictures' titles.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// "owner.TH = 0.3" for each --set key=value, the last one of a key; without those that pictures tell elsewhere
/// (replications, seed, engine, confidence), that change how a picture looks, or that say what is measured. A flag that
/// cannot be read is left out.
std::vector<std::string> flag_changes(const LoadOptions& options);

}  // namespace nowsim
