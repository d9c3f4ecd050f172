// The key run.start: when runs begin by the clock, for owners that go by it.
#pragma once

#include <optional>

#include "experiments/driver/reading/reader.hpp"
#include "sim/base/clock_moment.hpp"

namespace nowsim {

/// Nothing where it is left out, and after a problem, which is noted.
std::optional<ClockMoment> read_run_start(Reading& reading);

}  // namespace nowsim
