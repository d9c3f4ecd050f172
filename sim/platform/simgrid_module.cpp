// Loading the module, and refusing one that is not this program's.
#include "sim/platform/simgrid_module.hpp"

#include <dlfcn.h>
#include <simgrid_module_stamp.hpp>

#include <string_view>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/owners/profile.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/platform_text.hpp"
#include "sim/platform/worker_process.hpp"
#include "sim/statistics/numerical_inversion.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

/// What the module uses of the program: something of each file, so that the program has it, whatever else it uses.
[[gnu::used]] const auto kUsedByModule =
    std::tuple(&short_number, &portable::log, &QuantileTable::without_cells, &profile_path, &OwnerJobsOutcome::complete,
               &canonical_xml, &in_users_words, &Platform::simgrid_xml, &run_forked, &limit_memory);

[[noreturn]] void refuse_module(const std::string& why) {
  throw RunError(
      "this needs SimGrid, and nowsim's module for it (" NOWSIM_SIMGRID_MODULE ", beside the program in a build folder, "
      "in lib/nowsim where it is installed) cannot be used: " +
      why);
}

/// It stays where it is loaded. Looked for in the program's RUNPATH, which is set where it is linked. SimGrid's own
/// libraries have their functions looked up when they are called, the few of the module's at once, so that none is missing.
const SimGridModule& load_module() {
  void* module = dlopen(NOWSIM_SIMGRID_MODULE, RTLD_LAZY | RTLD_LOCAL);
  if (module == nullptr) refuse_module(dlerror());
  const auto* functions = static_cast<const SimGridModule*>(dlsym(module, "nowsim_simgrid_module"));
  if (functions == nullptr) refuse_module("it is another file of this name");
  if (std::string_view(functions->stamp) != kSimGridModuleStamp)
    refuse_module("it belongs to another build of nowsim; build or install both anew");
  return *functions;
}

}  // namespace

const SimGridModule& simgrid_module() {
  static const SimGridModule& module = load_module();
  return module;
}

}  // namespace nowsim
