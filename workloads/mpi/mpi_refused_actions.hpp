// Actions that SMPI writes into a trace, and of which no trace says enough to simulate them.
#pragma once

#include <string>
#include <string_view>

namespace nowsim {

/// What an action of that name is, as "an X: why a trace does not say enough"; "" of a name that SMPI does not write,
/// or that can be simulated.
std::string refused_mpi_action(std::string_view name);

}  // namespace nowsim
