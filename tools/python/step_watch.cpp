// A timer of the process's own processor time, whose signal Python handles between two instructions.
#include "tools/python/step_watch.hpp"

#include <memory>
#include <utility>

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

/// What there was before. None: not one that Python knows.
py::object set_handler(const py::object& handler) {
  return py::module_::import("signal").attr("signal")(SIGVTALRM, handler);
}

int raise_again(void* held) {
  const std::unique_ptr<py::error_already_set> raised(static_cast<py::error_already_set*>(held));
  raised->restore();
  return -1;
}

/// Python first handles signals that have come by then: what the user's handlers raise, as that of Ctrl-C does, is raised
/// as soon as Python's code goes on. Where another thread has ended the watch the handler stays.
void restore_handler(const py::object& before) {
  const py::error_scope set_by_now;
  std::unique_ptr<py::error_already_set> raised;
  for (bool is_done = false; !is_done;) try {
      set_handler(before.is_none() ? py::object(py::int_(0)) : before);
      is_done = true;
    } catch (py::error_already_set& e) {
      is_done = e.matches(PyExc_ValueError);
      if (!is_done && !raised) raised = std::make_unique<py::error_already_set>(e);
    }
  if (raised && Py_AddPendingCall(raise_again, raised.get()) == 0) static_cast<void>(raised.release());
}

}  // namespace

StepWatch& step_watch() {
  static auto* watch = new StepWatch;  // lasts as long as the interpreter does
  return *watch;
}

/// Only Python's main thread may have handlers: elsewhere nothing is watched.
void StepWatch::begin() {
  const auto handler = py::reinterpret_steal<py::object>(PyCFunction_New(&watch_method, nullptr));
  sigaction(SIGVTALRM, nullptr, &action_before_);
  try {
    handler_before_ = set_handler(handler);
  } catch (py::error_already_set& e) {
    if (!e.matches(PyExc_ValueError)) throw;
    timer_ = Timer::impossible;
    return;
  }
  const itimerval every{{kTick_s, 0}, {kTick_s, 0}};
  setitimer(ITIMER_VIRTUAL, &every, &timer_before_);
  timer_ = Timer::ticking;
}

void StepWatch::end() {
  if (std::exchange(timer_, Timer::off) != Timer::ticking) return;
  const itimerval none{};
  setitimer(ITIMER_VIRTUAL, &none, nullptr);
  std::signal(SIGVTALRM, SIG_IGN);  // a tick that is on its way comes to nothing
  restore_handler(std::exchange(handler_before_, {}));
  sigaction(SIGVTALRM, &action_before_, nullptr);
  setitimer(ITIMER_VIRTUAL, &timer_before_, nullptr);
}

void StepWatch::begin_anew() {
  if (timer_ != Timer::off) timer_ = Timer::wanted;
}

bool StepWatch::goes_on() {
  if (!is_inside_ || steps_ != seen_) {
    seen_ = steps_;
    ticks_ = 0;
  }
  if (!is_inside_ || ticks_++ * kTick_s < limit_s_) return true;
  PyErr_Format(program_types().endless.ptr(), "has computed for %d s without %s", (ticks_ - 1) * kTick_s, end_);
  return false;
}

StepsWatched::StepsWatched() {
  StepWatch& watch = step_watch();
  if (watch.wanted_by_++ == 0) watch.timer_ = StepWatch::Timer::wanted;
}

StepsWatched::~StepsWatched() {
  if (--step_watch().wanted_by_ == 0) step_watch().end();
}

}  // namespace nowsim
