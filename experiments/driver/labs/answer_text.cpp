// Trying the units that a number may carry.
#include "experiments/driver/labs/answer_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

constexpr Dimension kDimensions[] = {Dimension::time,  Dimension::fraction, Dimension::work,
                                     Dimension::speed, Dimension::bytes,    Dimension::bandwidth};

/// In SI; nothing where it has another unit, or none.
std::optional<double> quantity_in(const std::string& text, Dimension dimension) {
  try {
    return parse_quantity(text, dimension);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

double answer_number(const std::string& text, const std::string& unit) {
  std::string written(trimmed(text));
  if (unit == "%" && written.ends_with("%")) written = trimmed(written.substr(0, written.size() - 1));
  if (const auto plain = to_number(written)) return *plain;
  for (const Dimension dimension : kDimensions)
    if (const auto value = quantity_in(written, dimension)) return *value / quantity_in("1" + unit, dimension).value_or(1);
  throw InputError("a number is wanted" + (unit.empty() ? std::string() : " [" + unit + "]") + ", such as 12.5" +
                   (unit.empty() || unit == "%" ? "" : " or 12.5 " + unit) + ", not " + quoted(written));
}

std::string joined_answer(const std::vector<std::string>& answer) { return joined(answer); }

std::string fmt_number(double x) {
  return std::abs(x) >= 1e6 && std::abs(x) < 1e15 ? fmt::format("{:.0f}", x) : short_number(x);
}

}  // namespace nowsim
