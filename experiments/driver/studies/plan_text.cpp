// Scaling, and prefixes.
#include "experiments/driver/studies/plan_text.hpp"

#include <cmath>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

std::string percent_text(double share) { return short_number(100 * share) + " %"; }

WorkUnit work_unit(double work_flop) {
  const std::string text = format_quantity(work_flop, Dimension::work), name = text.substr(text.find(' ') + 1);
  return {name, parse_quantity("1" + name, Dimension::work)};
}

}  // namespace nowsim
