// `nowsim version`, `--version`: this program, its engines and how it was built, as a report of a fault wants them.
#include <ostream>
#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "sim/base/error.hpp"
#include "sim/engines/direct/lane_kernels.hpp"
#include "sim/platform/simgrid_module.hpp"
#include "tools/line/common_flags.hpp"

namespace nowsim {
namespace {

void add_version_flags(Flags& flags) { flags.add({{"short", kSwitch, "the version's number alone"}}); }

/// What the loops of the direct engine run on here.
std::string registers_text() {
  const lane_kernels::Kernels* const kernels = lane_kernels::fastest_here();
  if (kernels == nullptr) return "one number at a time";
  const std::size_t numbers = kernels->register_bytes / sizeof(double);
  return "vectors of " + std::to_string(8 * kernels->register_bytes) + " bits (Highway), " + std::to_string(numbers) +
         (numbers == 1 ? " number" : " numbers") + " at a time";
}

/// A SimGrid that cannot be loaded is what one may be looking for.
std::string simgrid_text() {
  try {
    return "SimGrid " + simgrid_module().version();
  } catch (const RunError& e) {
    return std::string("none: ") + e.what();
  }
}

constexpr const char* kCompiler =
#ifdef __clang__
    "clang " __clang_version__;
#else
    "GCC " __VERSION__;
#endif

int do_version(const Arguments& arguments, Session& session) {
  if (arguments.has("short")) {
    session.out << version() << '\n';
    return 0;
  }
  session.out << "nowsim " << version() << "\nengine direct: " << registers_text()
            << "\nengine simgrid: " << simgrid_text() << "\nbuild: " << kCompiler << ", " NOWSIM_BUILD "\n";
  return 0;
}

}  // namespace

Command version_command() {
  return {.name = "version",
          .summary = "the program's version, its engines', and how it was built",
          .main = {"short"},
          .add_flags = add_version_flags,
          .run = do_version};
}

}  // namespace nowsim
