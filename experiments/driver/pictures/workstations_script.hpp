// The gnuplot script of a figure of kind workstations: metrics of each workstation side by side.
#pragma once

#include <string>

#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/running/summary.hpp"

namespace nowsim {

/// The script NAME.gp, with its data in it. A panel shows one point of the sweep: along x the workstations that have
/// values of all its metrics (so that a server, which has no speed v_i, is left out) in the platform's order, or by
/// falling value of the metric that the figure sorts by; a mark per metric, with its interval.
/// @throws RunError where no panel has anything to draw.
std::string workstations_script(const Figure& figure, const Summary& summary, const std::string& name);

}  // namespace nowsim
