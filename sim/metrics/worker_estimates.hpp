// Estimates of each workstation where rank 0 may be a server, about which there is nothing to estimate.
#pragma once

#include <vector>

#include "sim/program/scenario.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// One per workstation: this value of a server, if there is one (first_worker()), and behind it the workers' estimates.
std::vector<Estimate> behind_server(const Scenario& scenario, double of_server, const std::vector<Estimate>& workers);

}  // namespace nowsim
