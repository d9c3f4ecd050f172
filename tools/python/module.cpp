// The extension _nowsim, which the package nowsim is made of.
#include <dlfcn.h>
#include <pybind11/pybind11.h>

#include "experiments/driver/points/experiment.hpp"
#include "sim/base/error.hpp"
#include "tools/python/bindings.hpp"

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
  m.attr("__version__") = version();
  pybind11::register_exception<InputError>(m, "InputError", PyExc_ValueError);
  pybind11::register_exception<RunError>(m, "RunError", PyExc_RuntimeError);
  bind_results(m);
  bind_programs(m);
}

}  // namespace nowsim
