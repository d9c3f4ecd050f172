// In place of sim/platform_question.cpp where libFuzzer asks: SimGrid is left out, for it allows one engine per
// process.
#include "sim/error.hpp"
#include "sim/platform_question.hpp"

namespace nowsim {

std::string ask_child(const Platform& platform, const std::function<std::string()>& /*question*/) {
  throw InputError(Place{platform.source, 0, ""}, "SimGrid is not asked here");
}

void refuse_without_route(const Platform& platform, const std::string& /*from*/, const std::string& /*to*/) {
  throw InputError(Place{platform.source, 0, ""}, "SimGrid is not asked here");
}

}  // namespace nowsim
