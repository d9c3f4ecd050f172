// Where there is no SimGrid: its answers as a file beside the platform keeps them; nothing is simulated on it.
#include "sim/platform/simgrid_module.hpp"

#include "sim/base/error.hpp"
#include "sim/platform/stored_answers.hpp"

namespace nowsim {
namespace {

[[noreturn]] std::string no_engine(const Scenario&, const Batch&, const BatchProgress&) {
  throw RunError("this needs SimGrid, which is not in this build of nowsim; 'engine: direct' needs none");
}

}  // namespace

const SimGridModule& simgrid_module() {
  static constexpr SimGridModule kStored{"", stored_description, stored_routes, no_engine};
  return kStored;
}

}  // namespace nowsim
