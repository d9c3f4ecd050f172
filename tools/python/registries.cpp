// The one place where a Python process makes its registries.
#include "tools/python/registries.hpp"

#include "tools/command_line.hpp"

namespace nowsim {

Registries registries_with(const pybind11::object&) { return registries_with(Additions{}); }

}  // namespace nowsim
