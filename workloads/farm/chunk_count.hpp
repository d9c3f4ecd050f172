// About how many chunks a self-scheduling technique makes of a loop: for estimates of what a simulation costs.
#pragma once

#include <cstdint>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// The chunks of workers that ask in turn, who report tasks of one time that vary by the parameters' cv. Of a technique
/// that hands out on demand; after a hundred thousand chunks the others are taken for as large as the last.
double about_chunks(const Technique& technique, const TechniqueParameters& parameters, std::int64_t tasks, int workers);

}  // namespace nowsim
