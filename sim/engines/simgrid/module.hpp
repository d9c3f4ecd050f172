// What the program calls of this room, in child processes.
#pragma once

#include <string>

#include "sim/engines/simgrid/engine.hpp"
#include "sim/platform/simgrid_module.hpp"

namespace nowsim {

/// SimGridModule::run. Computes replications of a batch, at most until the simulated clock gets too large for its
/// precision. To be called in a child process. Returns the results, packed for unpack_results(). @throws RunError for a
/// deadlock or a program that throws; InputError for what SimGrid rejects.
std::string run_in_simgrid(const Scenario& scenario, const Batch& batch, const BatchProgress& progress);

/// SimGridModule::describe: what SimGrid makes of the XML; hosts in the file's order.
std::string describe_platform(const std::string& xml, const std::string& name);
/// SimGridModule::routes: however many children it asks, they end with this one.
std::string routes_of_simgrid(const Platform& platform, SimGridModule::Pairs pairs);

}  // namespace nowsim
