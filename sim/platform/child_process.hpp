// Work done in a forked child: SimGrid allows one engine per process and aborts on some errors, so it never runs here.
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

#include "sim/base/infinity.hpp"
#include "sim/platform/child_outcome.hpp"

namespace nowsim {

/// The outcome of a process that has ended without one: what the last line on its standard error that says something
/// means, or how it ended (`status` as waitpid gives it). An input error where SimGrid cannot simulate the input.
ChildOutcome end_of_process(int status, const std::string& errors);
/// What a forked child does first: it ends with its parent, and leaves signals for the whole group to it.
void become_child_of(pid_t parent);

/// A child at work. Poll `result_fd` and `error_fd` for reading and call pump(); at finished() take the outcome.
/// A child dies with its parent. Destroying the object kills a child that still runs.
class ChildProcess {
 public:
  /// Forks and does the work there. Its exceptions, aborts and messages on standard error become the outcome.
  explicit ChildProcess(const std::function<std::string()>& work);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  [[nodiscard]] int result_fd() const { return result_fd_; }
  [[nodiscard]] int error_fd() const { return error_fd_; }
  /// Reads what is there without blocking; true once the child has ended and everything is read.
  bool pump();
  /// Waits for the end; a run error after so long [s], and the child is ended with the object.
  ChildOutcome wait(double limit_s = kInfinity);
  /// Only after pump() returned true.
  ChildOutcome outcome();

 private:
  pid_t pid_ = -1;
  int result_fd_ = -1;
  int error_fd_ = -1;
  std::string result_;
  std::string errors_;
};


}  // namespace nowsim
