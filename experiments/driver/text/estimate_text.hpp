// Estimates for people: as many digits as an interval makes meaningful.
#pragma once

#include <string>
#include <string_view>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// An estimate for people: `value ± half-width`, or `value [low, high]` where the interval is lopsided, with as many
/// digits as the interval supports; `value ± ?` where there is none.
std::string estimate_text(const Estimate& e);
/// The same with its unit, " s" or "": times of ten minutes and more in minutes, of two hours and more in hours, those
/// below a tenth of a second in ms, and below a tenth of a millisecond in us.
std::string quantity_text(const Estimate& e, std::string_view unit);

}  // namespace nowsim
