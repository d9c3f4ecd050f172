// `nowsim version`, `--version`: this program, its engines and how it was built, as a report of a fault wants them.
#include <iostream>
#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "sim/base/error.hpp"
#include "sim/engines/direct/lane_kernels.hpp"
#include "sim/platform/simgrid_module.hpp"
#include "tools/line/command.hpp"

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

int do_version(const ParsedFlags& parsed, const Registries&) {
  if (parsed.flags.has("short")) {
    std::cout << version() << '\n';
    return 0;
  }
  std::cout << "nowsim " << version() << "\nengine direct: " << registers_text()
            << "\nengine simgrid: " << simgrid_text() << "\nbuild: " << kCompiler << ", " NOWSIM_BUILD "\n";
  return 0;
}

}  // namespace

Command version_command() {
  return {"version",
          "the program's version, its engines', and how it was built",
          "nowsim version [--short]",
          {},
          add_version_flags,
          do_version};
}

}  // namespace nowsim
