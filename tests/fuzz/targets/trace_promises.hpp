// What holds of every load trace that was read.
#pragma once

#include "sim/owners/load_series.hpp"

namespace nowsim::test {

/// @throws std::logic_error where a trace's numbers cannot be.
void check_promises(const LoadSeries& trace);

}  // namespace nowsim::test
