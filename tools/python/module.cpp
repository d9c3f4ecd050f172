// The extension _nowsim, which the package nowsim is made of.
#include <dlfcn.h>
#include <pybind11/pybind11.h>

#include "experiments/driver/points/experiment.hpp"
#include "tools/python/bindings.hpp"
#include "tools/python/forks.hpp"
#include "tools/python/python_additions.hpp"
#include "tools/python/registries.hpp"

namespace nowsim {
namespace {

/// Python loads modules for themselves alone; the module that talks to SimGrid uses this one's functions.
void show_symbols_to_simgrid_module() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&show_symbols_to_simgrid_module), &here) == 0) return;
  dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

}  // namespace

PYBIND11_MODULE(_nowsim, m) {
  show_symbols_to_simgrid_module();
  tell_python_of_forks();
  m.attr("__version__") = version();
  bind_errors(m);
  bind_results(m);
  bind_running(m);
  bind_commands(m);
  bind_programs(m);
  bind_variables(m);
  bind_names(m);
}

}  // namespace nowsim
