// Scaling, and prefixes.
#include "experiments/driver/studies/plan_text.hpp"

#include <cmath>

#include "experiments/driver/running/summary.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

std::string percent_text(double share) { return short_number(100 * share) + " %"; }

WorkUnit work_unit(double work_flop) {
  const std::string text = format_quantity(work_flop, Dimension::work), name = text.substr(text.find(' ') + 1);
  return {name, parse_quantity("1" + name, Dimension::work)};
}

std::string work_text(const Estimate& work_flop) {
  const auto amount = [](double flop) {
    return std::isinf(flop) ? std::string("no end") : format_quantity(flop, Dimension::work);
  };
  if (std::isnan(work_flop.value)) return "-";
  return amount(work_flop.value) + " [" + amount(work_flop.low) + ", " + amount(work_flop.high) + "]";
}

}  // namespace nowsim
