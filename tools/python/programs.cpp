// Programs written as Python generators.
#include <string>

#include "tools/python/bindings.hpp"
#include "tools/python/python_keys.hpp"
#include "tools/python/rank_object.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

/// An exception of the package's; a subclass of one of Python's.
py::object new_exception(py::module_& m, const char* name, const char* help, PyObject* base) {
  const std::string full = std::string("nowsim.") + name;
  auto made = py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(full.c_str(), help, base, nullptr));
  if (!made) throw py::error_already_set();
  m.attr(name) = made;
  return made;
}

}  // namespace

void bind_programs(py::module_& m) {
  program_types() = {make_rank_type(), make_message_type(),
                     new_exception(m, "CommunicationFailed", "the other end, or the network, has failed for good", PyExc_RuntimeError),
                     new_exception(m, "ProgramError", "a program uses its rank in a way that has no meaning", PyExc_RuntimeError),
                     new_exception(m, "EndlessStep", "a program computes for ever without yielding", PyExc_BaseException)};
  m.def("check_key", [](const py::object& said) { static_cast<void>(PythonKey(said)); });
  m.attr("Rank") = program_types().rank;
  m.attr("Message") = program_types().message;
}

}  // namespace nowsim
