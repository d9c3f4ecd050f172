// Estimates in the units that a plan is read in.
#pragma once

#include <string>

#include "experiments/driver/text/estimate_text.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// "5 %", "0.1 %".
std::string percent_text(double share);
/// The prefixed unit in which format_quantity writes an amount of work: "Pflop", 1e15 flop.
struct WorkUnit {
  std::string name;
  double flop;
};
WorkUnit work_unit(double work_flop);

}  // namespace nowsim
