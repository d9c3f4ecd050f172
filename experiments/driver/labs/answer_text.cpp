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

}  // namespace

double answer_number(const std::string& text, const std::string& unit) {
  std::string written(trimmed(text));
  if (unit == "%" && written.ends_with("%")) written = trimmed(written.substr(0, written.size() - 1));
  if (const auto plain = to_number(written)) return *plain;
  for (const Dimension dimension : kDimensions) {
    try {
      return parse_quantity(written, dimension);
    } catch (const InputError&) {  // another unit, or none
    }
  }
  throw InputError("a number is wanted" + (unit.empty() ? std::string() : " [" + unit + "]") + ", such as 12.5" +
                   (unit.empty() || unit == "%" ? "" : " or 12.5 " + unit) + ", not " + quoted(written));
}

std::string joined_answer(const std::vector<std::string>& answer) { return joined(answer); }

std::string fmt_number(double x) {
  return std::abs(x) >= 1e6 && std::abs(x) < 1e15 ? fmt::format("{:.0f}", x) : short_number(x);
}

}  // namespace nowsim
