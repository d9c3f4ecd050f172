// The one place where a Python process makes its registries.
#include "tools/python/registries.hpp"

#include "tools/command_line.hpp"
#include "tools/python/python_description.hpp"

namespace nowsim {

namespace py = pybind11;

Additions additions_of(const py::object& registered) {
  Additions additions;
  for (const auto program : registered.attr("workloads"))
    additions.workloads.push_back(python_workload(py::reinterpret_borrow<py::object>(program)));
  return additions;
}

Registries registries_with(const py::object& registered) { return registries_with(additions_of(registered)); }

}  // namespace nowsim
