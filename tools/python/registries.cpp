// The one place where a Python process makes its registries.
#include "tools/python/registries.hpp"

#include "tools/command_line.hpp"
#include "tools/python/python_additions.hpp"
#include "tools/python/python_description.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

template <class Thing>
std::vector<Thing> made_of(const py::object& described, Thing (*make)(const py::object&)) {
  std::vector<Thing> made;
  for (const py::handle it : described) made.push_back(make(py::reinterpret_borrow<py::object>(it)));
  return made;
}

}  // namespace

Additions additions_of(const py::object& registered) {
  return {.owners = made_of(registered.attr("owners"), python_owner),
          .policies = made_of(registered.attr("policies"), python_policy),
          .metrics = made_of(registered.attr("metrics"), python_metric),
          .techniques = made_of(registered.attr("techniques"), python_technique),
          .workloads = made_of(registered.attr("workloads"), python_workload)};
}

Registries registries_with(const py::object& registered) { return registries_with(additions_of(registered)); }

}  // namespace nowsim
