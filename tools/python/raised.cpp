// Sentences about exceptions, which nowsim.failures makes.
#include "tools/python/raised.hpp"

#include "sim/base/error.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

std::string failure_text(const char* sentence, const std::string& by, const py::error_already_set& raised) {
  return py::module_::import("nowsim.failures").attr(sentence)(by, caught(raised)).cast<std::string>();
}

}  // namespace

py::object caught(const py::error_already_set& raised) {
  if (raised.trace()) PyException_SetTraceback(raised.value().ptr(), raised.trace().ptr());
  return raised.value();
}

[[gnu::cold]] std::string take_raised_text(const std::string& by) {
  const py::error_already_set raised;  // takes what is set
  return failure_text("raised_text", by, raised);
}

[[gnu::cold]] void stop_with_raised(const std::string& by) {
  const py::error_already_set raised;
  const std::string text = failure_text("raised_text", by, raised);
  if (raised.matches(PyExc_KeyboardInterrupt)) throw InterruptedFunction(text);
  throw RunError(text);
}

[[gnu::cold]] void refuse_raised(const py::error_already_set& raised, const std::string& by) {
  const std::string text = failure_text("saying_text", by, raised);
  if (raised.matches(PyExc_KeyboardInterrupt)) throw InterruptedFunction(text);
  throw InputError(text);
}

}  // namespace nowsim
