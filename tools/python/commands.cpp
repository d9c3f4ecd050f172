// The command line for Python: as it is, and with what it writes handed over as texts.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "tools/command_line.hpp"
#include "tools/python/bindings.hpp"
#include "tools/python/registries.hpp"

namespace nowsim {

namespace py = pybind11;

void bind_commands(py::module_&) {}

}  // namespace nowsim
