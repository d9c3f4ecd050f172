// Programs that run for ever between two of their operations: a watch over the processor time that one step takes.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>

namespace nowsim {

/// Steps of users' generators. A step that has taken too long of the processor is ended by an exception where it is.
class StepWatch {
 public:
  /// For the steps that follow, in this process [s].
  void allow(double limit_s);
  void enter() {
    ++steps_;
    is_inside_ = true;
  }
  void leave() { is_inside_ = false; }
  /// Called now and then while Python's code runs. False, with an exception set, when the step has to end.
  bool goes_on();

 private:
  void begin();

  double limit_s_ = 0;
  std::uint64_t steps_ = 0, seen_ = 0;
  int ticks_ = 0;  ///< of the step that was seen last
  bool is_inside_ = false;
  int process_ = 0;  ///< in which it ticks
};

StepWatch& step_watch();

}  // namespace nowsim
