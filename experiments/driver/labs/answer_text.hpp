// A student's answer as text: read as a number with or without its unit, and shown.
#pragma once

#include <string>
#include <vector>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// A number in this unit; with another unit of the same dimension it is converted: "5 min" is 300 in s, "90 min" 1.5 in h.
/// Without a unit shares may be per cent: "12%" is 0.12.
/// @throws InputError saying what was found; also for what must be a slip: below 1 where per cent are wanted and no sign
/// is written, a time below 0.
double answer_number(const std::string& text, const std::string& unit = "");
/// A number without a unit as one with it: "4.65" in h is "4.65 h"; any other text as it is.
std::string number_with_unit(const std::string& text, const std::string& unit);
/// What would have been meant if the number had another unit of its kind, s, min or h (flop/s, Mflop/s or Gflop/s), and
/// that made it the right one or nearly so (up to three times as much or little): "4.65 h" of "4.65 min" where 280 min are
/// right. Both are in `unit`, the first with it or another one written behind it. "" where it is near as it stands, or not
/// even so, and where no other unit comes into question.
std::string other_unit_meant(const std::string& text, double right, const std::string& unit);
/// Its items with commas between them.
std::string joined_answer(const std::vector<std::string>& answer);
/// For people: with its interval, where it has one, and its unit.
std::string shown_number(const Estimate& e, const std::string& unit = "");

}  // namespace nowsim
