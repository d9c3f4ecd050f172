// Code of users' that runs for ever: a watch over the processor time that one step of it takes.
#pragma once

#include <pybind11/pybind11.h>

#include <sys/time.h>

#include <csignal>
#include <cstdint>

namespace nowsim {

/// Steps of users' generators, and calls of their functions. One that has taken too long of the processor is ended by an
/// exception where it is.
class StepWatch {
 public:
  /// For the steps that follow, in this process [s]; `end` is what each of them ought to come to.
  void allow(double limit_s, const char* end = "yielding anything") {
    limit_s_ = limit_s;
    end_ = end;
    if (timer_ == Timer::wanted) [[unlikely]] begin();
  }
  void enter() {
    ++steps_;
    is_inside_ = true;
  }
  void leave() { is_inside_ = false; }
  /// Called now and then while Python's code runs. False, with an exception set, when the step has to end.
  bool goes_on();
  /// In a process that has just been forked: timers do not come along.
  void begin_anew();

 private:
  friend class StepsWatched;
  enum class Timer { off, wanted, ticking, impossible };
  void begin();
  void end();

  Timer timer_ = Timer::off;
  int wanted_by_ = 0;
  double limit_s_ = 0;
  const char* end_ = "";
  std::uint64_t steps_ = 0, seen_ = 0;
  int ticks_ = 0;  ///< of the step that was seen last
  bool is_inside_ = false;
  pybind11::object handler_before_;  ///< Python's, for the user's sake, as the following are
  struct sigaction action_before_{};
  itimerval timer_before_{};
};

StepWatch& step_watch();

/// While one lives, steps are watched, from the first one on: the process has a timer of its own processor time
/// (ITIMER_VIRTUAL). The user's own timer and handler of SIGVTALRM, which rest meanwhile, are there again afterwards.
class StepsWatched {
 public:
  StepsWatched();
  ~StepsWatched();
  StepsWatched(const StepsWatched&) = delete;
  StepsWatched& operator=(const StepsWatched&) = delete;
};

/// One step.
class WatchedStep {
 public:
  WatchedStep() { step_watch().enter(); }
  ~WatchedStep() { step_watch().leave(); }
  WatchedStep(const WatchedStep&) = delete;
  WatchedStep& operator=(const WatchedStep&) = delete;
};

}  // namespace nowsim
