// Rounding by the interval.
#include "experiments/driver/text/estimate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Without a sign of what is rounded to 0.
std::string fixed(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.find_first_of("123456789") == std::string::npos && text.starts_with('-') ? text.substr(1) : text;
}

std::string general(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

/// The power of ten of a number's first digit, once it is rounded to two: 1 for 9.96, which is shown as 10.
int exponent_of(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  return value >= 9.95 * std::pow(10, exponent) ? exponent + 1 : exponent;
}

/// Rounded to a power of ten: places < 0 are digits before the point.
std::string rounded_to(double value, int places) {
  if (places >= 0) return fixed(value, places);
  const double unit = std::pow(10, -places);
  return fixed(std::round(value / unit) * unit, 0);
}

/// Rounded to a power of ten, but with the first digit at least.
std::string rounded_or_first(double value, int places) {
  return rounded_to(value, value == 0 ? places : std::max(places, -exponent_of(std::abs(value))));
}

/// Whether an interval is so wide that a value known not to be 0 would be rounded to it.
bool is_first_digit_lost(const Estimate& e, int places) {
  return (e.low > 0 || e.high < 0) && exponent_of(std::abs(e.value)) < -places;
}

/// Whether `value ± half-width`, which hides that one side is longer than the other, would tell otherwise than the
/// interval whether 0 is within, or at its end.
bool is_zero_misplaced(const Estimate& e) {
  constexpr double kRoundedUp = 1.05;  // two digits are shown
  const double size = std::abs(e.value), h = e.half_width();
  if (e.low > 0 || e.high < 0) return size <= kRoundedUp * h;
  return (e.low == 0 || e.high == 0) && std::abs(size - h) > 1e-9 * h;
}

/// An interval that reaches further than this many half-widths to one side is written with both ends.
constexpr double kLopsided = 1.3;

/// Whether value and ends are whole numbers, as sizes that were solved for are: they have no decimal places.
bool is_whole(const Estimate& e) {
  return e.value == std::floor(e.value) && e.low == std::floor(e.low) && e.high == std::floor(e.high);
}

}  // namespace

/// A value with as many digits as its interval's half-width makes meaningful (two digits of it). An interval that is
/// mere rounding (all replications were the same) is not shown; where one replication gives none, there is a '?'. Of
/// whole numbers in an interval that reaches further on one side it has its ends: their half-width need not be whole.
std::string estimate_text(const Estimate& e) {
  if (std::isnan(e.value)) return "-";
  const double h = e.half_width();
  if (std::isnan(h)) return general(e.value, 6) + " ± ?";
  if (!(h > 1e-10 * std::abs(e.value))) return general(e.value, 6);
  if (std::isinf(h)) return general(e.value, 3) + " [" + general(e.low, 3) + ", " + general(e.high, 3) + "]";
  const int two_digits = 1 - exponent_of(h);
  const int places = is_whole(e) ? std::min(two_digits, 0) : two_digits;
  const bool readable = places <= 9 && std::abs(e.value) < 1e9;
  if (readable && (is_first_digit_lost(e, places) || is_zero_misplaced(e)))
    return rounded_or_first(e.value, places) + " [" + rounded_or_first(e.low, places) + ", " +
           rounded_or_first(e.high, places) + "]";
  const double wide_side = std::max(e.high - e.value, e.value - e.low);
  if (readable && (wide_side > kLopsided * h || (is_whole(e) && wide_side > h)))
    return rounded_to(e.value, places) + " [" + rounded_to(e.low, places) + ", " + rounded_to(e.high, places) + "]";
  return readable ? rounded_to(e.value, places) + " ± " + rounded_to(h, places)
                  : general(e.value, 6) + " ± " + general(h, 2);
}

ToldUnit told_unit(double largest, std::string_view unit) {
  const double size = std::abs(largest);
  if (unit != " s" || !std::isfinite(size) || size == 0) return {std::string(unit)};
  if (size >= 7200) return {" h", 3600};
  if (size >= 600) return {" min", 60};
  if (size >= 0.1) return {" s"};
  return size >= 1e-4 ? ToldUnit{" ms", 1e-3} : ToldUnit{" us", 1e-6};
}

std::string quantity_text(const Estimate& e, const ToldUnit& unit) {
  if (std::isnan(e.value)) return estimate_text(e);
  return estimate_text(in_unit(e, unit.size)) + unit.name;
}

std::string quantity_text(const Estimate& e, std::string_view unit) {
  const double end = std::max(std::abs(e.low), std::abs(e.high));
  return quantity_text(e, told_unit(e.value != 0 || !std::isfinite(end) ? e.value : end, unit));
}

std::string rough_text(double value) {
  constexpr double kLong = 99.5;
  return std::abs(value) < kLong ? fmt::format("{:.2g}", value) : short_number(std::round(value));
}

Estimate in_unit(const Estimate& e, double unit) { return {e.value / unit, e.low / unit, e.high / unit}; }

std::string percent_text(const Estimate& share) { return estimate_text(in_unit(share, 0.01)) + " %"; }

std::string points_text(const Estimate& difference) { return estimate_text(in_unit(difference, 0.01)) + " points"; }

}  // namespace nowsim
