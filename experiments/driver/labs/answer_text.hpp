// A student's answer as text: read as a number with or without its unit, and shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nowsim {

/// A number, with any unit that nowsim knows ("310", "5 min", "12%" as 12 where `unit` is "%", else as 0.12), in SI.
/// @throws InputError saying what was found.
double answer_number(const std::string& text, const std::string& unit = "");
/// Its items with commas between them.
std::string joined_answer(const std::vector<std::string>& answer);
/// Six significant digits, large numbers without an exponent.
std::string fmt_number(double x);

}  // namespace nowsim
