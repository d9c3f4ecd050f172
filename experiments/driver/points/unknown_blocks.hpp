// Keys at the top of an experiment's file that are none, said before anything that follows from them.
#pragma once

#include <string>

#include "experiments/driver/reading/reading.hpp"
#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {

/// Notes each such key of the document. One that is a misspelt block's name is then read as that block, or as what is
/// missing in the one that there is; any other goes: nothing else is wrong because of it.
void settle_unknown_blocks(YamlNode& root, const std::string& file, const Registries& registries, Problems& problems);

}  // namespace nowsim
