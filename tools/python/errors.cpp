// nowsim's errors as Python's exceptions, with the same sentences.
#include <pybind11/pybind11.h>

#include <string>
#include <system_error>
#include <utility>

#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "tools/line/arguments.hpp"
#include "tools/python/bindings.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

/// As an exception of the package, by whose name tracebacks call it.
py::object of_package(py::object error) {
  error.attr("__module__") = "nowsim";
  return error;
}

py::object text_or_none(const std::string& part) { return part.empty() ? py::object(py::none()) : py::str(part); }

/// (file, line, key, sentence) of each; None is what is not known.
py::list problems_of(const InputError& error) {
  py::list problems;
  for (const auto& [place, sentence] : error.problems())
    problems.append(py::make_tuple(text_or_none(place.file),
                                   place.line > 0 ? py::object(py::int_(place.line)) : py::none(),
                                   text_or_none(place.key), sentence));
  return problems;
}

/// Python's exception of this name, with the problems of the error.
void set_error(const char* name, const InputError& error) {
  const py::object type = py::module_::import("nowsim").attr(name);
  const py::object raised = type(error.what());
  raised.attr("problems") = problems_of(error);
  PyErr_SetObject(type.ptr(), raised.ptr());
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
  const py::object input = of_package(py::exception<InputError>(m, "InputError", PyExc_ValueError));
  input.attr("problems") = py::tuple();  // of those that Python code raises
  of_package(py::exception<UsageError>(m, "UsageError", input.ptr()));
  of_package(py::register_exception<RunError>(m, "RunError", PyExc_RuntimeError));
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      std::rethrow_exception(std::move(error));
    } catch (const InputError& e) {
      set_error("InputError", e);
    } catch (const UsageError& e) {
      set_error("UsageError", InputError(e.what()));
    }
  });
}

}  // namespace nowsim
