// Links whose bandwidth rises by their profiles while flows may be on their way.
#pragma once

#include <optional>
#include <string>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// The first of the platform's links whose bandwidth may rise at some moment after 0; a value that is drawn may. SimGrid
/// bounds a flow by the links' bandwidths at its start (CM02: the action's bound, set when it is made), so that such a
/// flow does not get more later; here it does.
std::optional<std::string> link_whose_bandwidth_rises(const Platform& platform);

}  // namespace nowsim
