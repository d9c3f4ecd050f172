// A student's Python file as a self-scheduling technique, and tables of names that have it.
#pragma once

#include <string>

#include "experiments/driver/labs/confinement.hpp"
#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

struct ConfinedTechnique {
  Technique technique;
  Confinement confinement;  ///< of its code
};

/// The one technique that a file defines, under a name of one's own, run confined where the system can do that.
/// @throws RunError in a sentence for the student: file, line, and what went wrong.
ConfinedTechnique confined_technique(const std::string& name, const std::string& file, const CodeLimits& limits = {});

}  // namespace nowsim
