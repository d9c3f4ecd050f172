// Trying the units that a number may carry.
#include "experiments/driver/labs/answer_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

constexpr Dimension kDimensions[] = {Dimension::time,  Dimension::work,      Dimension::speed,
                                     Dimension::bytes, Dimension::bandwidth};

/// Units that are taken for one another.
constexpr std::array<std::array<const char*, 3>, 2> kMistakenUnits{
    {{"s", "min", "h"}, {"flop/s", "Mflop/s", "Gflop/s"}}};
/// What is nearly right is up to so many times as much, or as little.
constexpr double kNearly = 3;

/// The number of "4.65 min" before "min"; nothing where the text is none with this unit.
std::optional<double> number_before(std::string_view text, std::string_view unit) {
  text = trimmed(text);
  if (!text.ends_with(unit)) return std::nullopt;
  return to_number(trimmed(text.substr(0, text.size() - unit.size())));
}

/// With its own unit.
std::optional<double> converted(const std::string& text, const std::string& unit) {
  if (unit.empty()) return quantity_in(text, Dimension::fraction);
  for (const Dimension dimension : kDimensions)
    if (const auto one = quantity_in("1" + unit, dimension))
      if (const auto value = quantity_in(text, dimension)) return *value / *one;
  return std::nullopt;
}

/// What a slip of the unit would make of it: 0.29 where per cent are wanted, a time below 0.
void check_meant(double number, const std::string& unit) {
  if (unit == "%" && number != 0 && std::abs(number) < 1)
    throw InputError(short_number(number) + " is less than 1 %: write " + short_number(100 * number) + ", or " +
                     short_number(number) + "% if that is meant");
  if (number < 0 && !unit.empty() && quantity_in("1" + unit, Dimension::time))
    throw InputError("a time is 0 or more");
}

}  // namespace

double answer_number(const std::string& text, const std::string& unit) {
  std::string_view written = trimmed(text);
  if (!unit.empty())
    if (const auto bare = number_before(written, unit)) return *bare;
  if (const auto bare = to_number(written)) {
    check_meant(*bare, unit);
    return *bare;
  }
  if (const auto value = converted(std::string(written), unit)) return *value;
  throw InputError("a number is wanted" + (unit.empty() ? std::string() : " [" + unit + "]") + ", such as 12.5" +
                   (unit.empty() ? "" : " or 12.5 " + unit) + ", not " + quoted(written) +
                   foreign_character_hint(written));
}

std::string number_with_unit(const std::string& text, const std::string& unit) {
  const std::string_view written = trimmed(text);
  return to_number(written) ? std::string(written) + " " + unit : text;
}

std::string other_unit_meant(const std::string& text, double right, const std::string& unit) {
  const double number = answer_number(text, unit);
  const auto is_near = [&](double x) { return std::abs(std::log(x / right)) <= std::log(kNearly); };
  if (!(number > 0 && right > 0) || is_near(number)) return "";
  for (const auto& units : kMistakenUnits) {
    if (std::ranges::find(units, unit) == units.end()) continue;
    std::string near;
    const auto size = [&](const char* of) { return answer_number(number_with_unit("1", of), unit); };
    for (const char* taken : units)
      for (const char* meant : units) {
        const double other = number * size(meant) / size(taken);
        if (!is_near(other)) continue;
        const auto bare = number_before(number_with_unit(text, unit), taken);
        if (bare) return short_number(*bare) + " " + meant;
        near = short_number(other) + " " + unit;
      }
    return near;
  }
  return "";
}

std::string joined_answer(const std::vector<std::string>& answer) { return joined(answer); }

std::string shown_number(const Estimate& e, const std::string& unit) {
  const bool is_large = std::abs(e.value) >= 1e6 && std::abs(e.value) < 1e15;  // no exponents
  const std::string exact = is_large ? fmt::format("{:.0f}", e.value) : short_number(e.value);
  return (e.low == e.high ? exact : estimate_text(e)) + (unit.empty() ? "" : " " + unit);
}

}  // namespace nowsim
