// What the program finds in the module.
#include <simgrid_module_stamp.hpp>

#include "sim/engines/simgrid/module.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"

extern "C" const nowsim::SimGridModule nowsim_simgrid_module{nowsim::kSimGridModuleStamp, nowsim::describe_platform,
                                                             nowsim::routes_of_simgrid, nowsim::run_in_simgrid,
                                                             nowsim::simgrid_version::release};
