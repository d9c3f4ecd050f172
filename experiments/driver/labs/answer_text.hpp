// A student's answer as text: read as a number with or without its unit, and shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nowsim {

/// A number in this unit; of another unit that nowsim knows it is converted ("5 min" is 300 in s, "90 min" 1.5 in h, "12%"
/// 12 in %, else 0.12).
/// @throws InputError saying what was found.
double answer_number(const std::string& text, const std::string& unit = "");
/// Its items with commas between them.
std::string joined_answer(const std::vector<std::string>& answer);
/// Six significant digits, large numbers without an exponent.
std::string fmt_number(double x);

}  // namespace nowsim
