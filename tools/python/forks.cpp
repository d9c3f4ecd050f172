// What CPython's os.fork() does around the system call.
#include "tools/python/forks.hpp"

#include <pybind11/pybind11.h>

#include <string>

#include "sim/platform/worker_process.hpp"
#include "tools/python/step_watch.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

/// The workers' own streams are files of nowsim's, which a notebook's are not.
void use_plain_streams() {
  const auto sys = py::module_::import("sys");
  for (const char* name : {"stdout", "stderr"}) sys.attr(name) = sys.attr((std::string("__") + name + "__").c_str());
}

void flush_streams() {
  const auto sys = py::module_::import("sys");
  for (const char* name : {"stdout", "stderr", "__stdout__", "__stderr__"})
    if (const py::object stream = sys.attr(name); !stream.is_none()) stream.attr("flush")();
}

/// Streams that cannot be written to, which Python will say itself, are no reason not to make a process.
void ignoring_errors(void (*work)()) {
  try {
    work();
  } catch (const py::error_already_set&) {
  }
}

/// A thread without the interpreter forks for no work in Python.
bool holds_interpreter() { return PyGILState_Check() != 0; }

void before_fork() {
  if (!holds_interpreter()) return;
  ignoring_errors(flush_streams);
  PyOS_BeforeFork();
}

void after_fork_in_parent() {
  if (holds_interpreter()) PyOS_AfterFork_Parent();
}

void after_fork_in_child() {
  step_watch().begin_anew();
  if (!holds_interpreter()) return;
  PyOS_AfterFork_Child();
  ignoring_errors(use_plain_streams);
}

}  // namespace

void tell_python_of_forks() { watch_forks({before_fork, after_fork_in_parent, after_fork_in_child}); }

}  // namespace nowsim
