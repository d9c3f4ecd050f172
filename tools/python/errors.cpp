// nowsim's errors as Python's exceptions, with the same sentences.
#include <pybind11/pybind11.h>

#include <system_error>

#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "tools/command.hpp"
#include "tools/python/bindings.hpp"

namespace nowsim {

namespace py = pybind11;

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
  const auto& input = py::register_exception<InputError>(m, "InputError", PyExc_ValueError);
  py::register_exception<UsageError>(m, "UsageError", input.ptr());
  py::register_exception<RunError>(m, "RunError", PyExc_RuntimeError);
}

}  // namespace nowsim
