// Scenarios that a point is compared with: its whole work on one machine, and its work split in proportion.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// Platforms of one workstation, by the platform they are of and its index: points share them.
using AlonePlatforms = std::map<std::pair<const Platform*, std::size_t>, std::shared_ptr<const Platform>>;

/// The whole work on the workstation that is the first to be done with it alone, by mean available speed and what the
/// program says of waiting for pages, under the same owner (ZY Definition 1). It does not fail, where others do.
std::shared_ptr<const Scenario> fastest_alone(const Scenario& scenario, AlonePlatforms& platforms);

/// The same with its work split in proportion to the available speeds: HL's step (1). Null without work.
std::shared_ptr<const Scenario> step1_of(const Scenario& scenario);

}  // namespace nowsim
