// nowsim's errors as Python's exceptions, with the same sentences.
#include <pybind11/pybind11.h>

#include <system_error>

#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "tools/line/flags.hpp"
#include "tools/python/bindings.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

/// As an exception of the package, by whose name tracebacks call it.
template <class Error>
py::object add_error(py::module_& m, const char* name, PyObject* base) {
  py::object error = py::register_exception<Error>(m, name, base);
  error.attr("__module__") = "nowsim";
  return error;
}

}  // namespace

void bind_errors(py::module_& m) {
  // The last one that is registered is asked first.
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      std::rethrow_exception(std::move(error));
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const std::system_error& e) {
      PyErr_SetString(PyExc_OSError, e.what());
    }
  });
  const py::object input = add_error<InputError>(m, "InputError", PyExc_ValueError);
  add_error<UsageError>(m, "UsageError", input.ptr());
  add_error<RunError>(m, "RunError", PyExc_RuntimeError);
}

}  // namespace nowsim
