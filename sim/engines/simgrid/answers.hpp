// What SimGrid says of platforms. To be asked in a child process.
#pragma once

#include <string>

#include "sim/platform/simgrid_module.hpp"

namespace nowsim {

/// SimGridModule::describe: what SimGrid makes of the XML; hosts in the file's order.
std::string describe_platform(const std::string& xml, const std::string& name);
/// SimGridModule::routes: however many children it asks, they end with this one.
std::string routes_of_simgrid(const Platform& platform, SimGridModule::Pairs pairs);

}  // namespace nowsim
