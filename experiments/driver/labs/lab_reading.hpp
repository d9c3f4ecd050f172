// A lab read from its folder's lab.yaml.
#pragma once

#include <string>

#include "experiments/driver/labs/lab.hpp"

namespace nowsim {

/// The name of a lab's description in its folder.
inline constexpr const char* kLabFile = "lab.yaml";

/// @throws InputErrors with every problem found, each with file, line and key: unknown keys, facts and experiments that
/// are named and not there, questions that lack what their kind needs.
Lab read_lab(const std::string& folder);

}  // namespace nowsim
