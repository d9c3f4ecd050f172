// In place of sim/platform/simgrid_module.cpp where libFuzzer asks: SimGrid is left out, for it allows one engine per
// process.
#include "sim/base/error.hpp"
#include "sim/platform/simgrid_module.hpp"

const nowsim::SimGridModule& nowsim::simgrid_module() { throw InputError("SimGrid is not asked here"); }
