// Platform files read without SimGrid, for where there is none: those of a few kinds of zones, as the shipped ones are.
#pragma once

#include <string>

#include "sim/platform/simgrid_module.hpp"

namespace nowsim {

/// As SimGridModule::describe() and routes(), to the bit, of platforms that are made of zones whose routing is Full, Floyd,
/// Cluster or None, flat clusters and cabinets. @throws InputError for any other, of which SimGrid would be needed.
std::string native_description(const std::string& xml, const std::string& source);
std::string native_routes(const Platform& platform, SimGridModule::Pairs pairs);

}  // namespace nowsim
