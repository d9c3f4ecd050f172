// In place of sim/platform/ask_simgrid.cpp where libFuzzer asks: SimGrid is left out, for it allows one engine per
// process.
#include "sim/base/error.hpp"
#include "sim/platform/ask_simgrid.hpp"

namespace nowsim {

std::string ask_child(const Platform& platform, const std::function<std::string()>& /*question*/) {
  throw InputError(Place{platform.source, 0, ""}, "SimGrid is not asked here");
}

void refuse_without_route(const Platform& platform, const std::string& /*from*/, const std::string& /*to*/) {
  throw InputError(Place{platform.source, 0, ""}, "SimGrid is not asked here");
}

}  // namespace nowsim
