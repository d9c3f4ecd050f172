// What the program finds in the module.
#include <simgrid_module_stamp.hpp>

#include "sim/engines/simgrid/answers.hpp"
#include "sim/engines/simgrid/batch.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"
#include "sim/platform/simgrid_module.hpp"

extern "C" const nowsim::SimGridModule nowsim_simgrid_module{nowsim::kSimGridModuleStamp, nowsim::describe_platform,
                                                             nowsim::routes_of_simgrid, nowsim::run_in_simgrid,
                                                             nowsim::simgrid_version::release};
