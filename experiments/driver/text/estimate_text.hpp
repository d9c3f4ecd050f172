// Estimates for people: as many digits as an interval makes meaningful.
#pragma once

#include <string>
#include <string_view>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// An estimate for people: `value ± half-width`, or `value [low, high]` where the interval is lopsided, with as many
/// digits as the interval supports; `value ± ?` where there is none.
std::string estimate_text(const Estimate& e);
/// An estimate in a unit of that size.
Estimate in_unit(const Estimate& e, double unit);
/// "97.3 [96.1, 98.2] %", "12.0 ± 1.1 %", of a share.
std::string percent_text(const Estimate& share);
/// "1.2 ± 0.3 points", of a difference between shares: of what is told in per cent, which a per cent of it is not.
std::string points_text(const Estimate& difference);
/// Two digits, as bounds are never known better: "0.26", "120".
std::string rough_text(double value);
/// A unit as numbers are told in it: " min" for times of 13 minutes, of 60 s each.
struct ToldUnit {
  std::string name;
  double size = 1;  ///< in the unit proper
};
/// For numbers of a unit (" s", " %" or ""), the largest of this size. Times of ten minutes and more are told in
/// minutes, of two hours and more in hours, those below a tenth of a second in ms, below a tenth of a millisecond in
/// us.
ToldUnit told_unit(double largest, std::string_view unit);
/// An estimate in such a unit; `-` without one where there is no value.
std::string quantity_text(const Estimate& e, const ToldUnit& unit);
/// In the unit that suits its own size.
std::string quantity_text(const Estimate& e, std::string_view unit);

}  // namespace nowsim
