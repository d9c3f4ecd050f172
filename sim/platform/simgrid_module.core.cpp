// Where there is no SimGrid: platforms as far as they can be read without; nothing is simulated on it.
#include "sim/platform/simgrid_module.hpp"

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

[[noreturn]] std::string no_engine(const Scenario&, const Batch&, double) {
  throw RunError("this needs SimGrid, which is not in this build of nowsim; 'engine: direct' needs none");
}

}  // namespace

const SimGridModule& simgrid_module() {
  static constexpr SimGridModule kNative{"", native_description, native_routes, no_engine, nullptr};
  return kNative;
}

}  // namespace nowsim
