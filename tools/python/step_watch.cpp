// A timer of the process's own processor time, whose signal Python handles between two instructions.
#include "tools/python/step_watch.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>

#include "tools/python/rank_object.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

constexpr int kTick_s = 1;

PyObject* watch_ticks(PyObject*, PyObject*) {
  if (!step_watch().goes_on()) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef watch_method{"watch", watch_ticks, METH_VARARGS, nullptr};

}  // namespace

StepWatch& step_watch() {
  static StepWatch watch;
  return watch;
}

void StepWatch::allow(double limit_s) {
  limit_s_ = limit_s;
  if (process_ != getpid()) begin();
}

/// Timers end with a fork, and handlers do not. Only Python's main thread may have handlers: elsewhere nothing is watched.
void StepWatch::begin() {
  process_ = getpid();
  const auto handler = py::reinterpret_steal<py::object>(PyCFunction_New(&watch_method, nullptr));
  try {
    py::module_::import("signal").attr("signal")(SIGVTALRM, handler);
  } catch (py::error_already_set& e) {
    if (!e.matches(PyExc_ValueError)) throw;
    return;
  }
  const itimerval every{{kTick_s, 0}, {kTick_s, 0}};
  setitimer(ITIMER_VIRTUAL, &every, nullptr);
}

bool StepWatch::goes_on() {
  if (!is_inside_ || steps_ != seen_) {
    seen_ = steps_;
    ticks_ = 0;
  }
  if (!is_inside_ || ++ticks_ * kTick_s <= limit_s_) return true;
  PyErr_Format(program_types().endless.ptr(), "has computed for %d s without yielding anything", (ticks_ - 1) * kTick_s);
  return false;
}

}  // namespace nowsim
