// Work done in a forked child: SimGrid allows one engine per process and aborts on some errors, so it never runs here.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace nowsim {

/// What the sentence of a child that ended without a word of its own begins with.
inline constexpr std::string_view kProcessFailed = "the simulation's process failed: ";

/// How a child ended.
struct ChildOutcome {
  enum class Kind { done, input_error, infeasible, run_error };
  Kind kind = Kind::run_error;
  std::string bytes;     ///< done: what the work returned
  std::string sentence;  ///< otherwise: what went wrong, for a person
  bool has_crashed = false;  ///< the process ended itself, without an outcome
  /// The bytes. @throws InputError, InfeasibleError or RunError with the sentence, as the child did.
  [[nodiscard]] const std::string& get() const;
};

/// Does the work here, and turns its exceptions into an outcome.
ChildOutcome outcome_of(const std::function<std::string()>& work);
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
  ChildOutcome wait(double limit_s = std::numeric_limits<double>::infinity());
  /// Only after pump() returned true.
  ChildOutcome outcome();

 private:
  pid_t pid_ = -1;
  int result_fd_ = -1;
  int error_fd_ = -1;
  std::string result_;
  std::string errors_;
};

/// Forks, does the work, waits. @throws what ChildOutcome::get() throws.
std::string in_child_process(const std::function<std::string()>& work);

}  // namespace nowsim
