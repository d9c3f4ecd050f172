// A student's Python file as a self-scheduling technique, and tables of names that have it.
#pragma once

#include <string>

#include "experiments/driver/labs/confinement.hpp"
#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

/// The one technique that a file defines, under a name of one's own, run confined where the system can do that.
/// @throws RunError in a sentence for the student: file, line, and what went wrong.
Technique confined_technique(const std::string& name, const std::string& file, const CodeLimits& limits = {});

/// Whether an answer is the name of a Python file of the student's folder: no path, nothing hidden.
bool is_code_file(const std::string& answer);

}  // namespace nowsim
