// The facts of a lab, or of one of its questions, as they are described.
#pragma once

#include <vector>

#include "experiments/driver/labs/lab_block.hpp"

namespace nowsim {

/// The entries of `facts:` of a block.
std::vector<LabFact> read_facts(LabBlock& block);

}  // namespace nowsim
