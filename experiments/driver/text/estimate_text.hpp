// Estimates for people: as many digits as an interval makes meaningful.
#pragma once

#include <string>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// An estimate for people: `value ± half-width`, or `value [low, high]` where the interval is lopsided, with as many
/// digits as the interval supports; `value ± ?` where there is none.
std::string estimate_text(const Estimate& e);

}  // namespace nowsim
