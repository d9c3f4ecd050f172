// Work done in forked processes: one task in a process of its own, since SimGrid allows one engine per process and
// aborts on some errors; or task after task, so that the process that hands them out need not fork for each, nor be
// asked for each: several may wait in a worker's queue.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/infinity.hpp"

namespace nowsim {

/// What the sentence of a child that ended without a word of its own begins with.
inline constexpr std::string_view kProcessFailed = "the simulation's process failed: ";

/// How work ended that was done apart.
struct ChildOutcome {
  enum class Kind { done, input_error, infeasible, run_error };
  Kind kind = Kind::run_error;
  std::string text;  ///< done: what the work returned; otherwise what went wrong, for a person
  bool has_crashed = false;  ///< the process ended itself, without an outcome
  /// What the work returned. @throws InputError, InfeasibleError or RunError with the sentence, as the child did.
  [[nodiscard]] const std::string& get() const;
};

/// Does the work here, and turns its exceptions into an outcome.
ChildOutcome outcome_of(const std::function<std::string()>& work);

/// A task: a number that both sides know, and a range.
struct WorkerTask {
  std::uint64_t number = 0;
  std::uint64_t first = 0, count = 0;
};

/// What a worker says of a task: a ChildOutcome whose text is there until the worker is asked again.
struct WorkerAnswer {
  ChildOutcome::Kind kind = ChildOutcome::Kind::run_error;
  std::string_view text;
  bool has_crashed = false;
};

/// A worker sees the memory as it was when it was made. It ends with its parent; destroying the object kills it, and all
/// processes that it has started by this class with it. Where there are no processes (the core), tasks are done here,
/// however long they take.
class WorkerProcess {
 public:
  /// Forks. `work` is called in the worker for each task; its exceptions become the task's outcome. What tasks write to
  /// the standard streams is shown to nobody, unless the worker dies of one: then it is the reason.
  explicit WorkerProcess(const std::function<std::string(const WorkerTask&)>& work);
  /// The same with one task, which is given to it. What that writes to standard output is shown, and to standard error
  /// where the task tells people how far it is.
  enum class Errors { kept, shown };
  explicit WorkerProcess(const std::function<std::string()>& work, Errors errors = Errors::kept);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Puts tasks into the worker's queue. They are few: more than fit into a socket's buffer would have to wait.
  void give(std::span<const WorkerTask> tasks);
  /// The outcome of the first task that has none yet, if it is there, without blocking. A worker that has died gives a
  /// run_error for the task that it was at, and is of no use: the tasks behind that one were not begun.
  std::optional<WorkerAnswer> take();
  /// The same, once it is there; a run error after so long [s], and the worker is ended with its object.
  ChildOutcome wait(double limit_s = kInfinity);
  /// Can be read from when there is news: for poll().
  [[nodiscard]] int fd() const;
  [[nodiscard]] bool is_dead() const;
  /// Sends it SIGTERM, which waits until it is unblocked there.
  void ask_to_stop() const;

 private:
  friend std::vector<bool> wait_for_news(std::span<const WorkerProcess* const>, double, double);
  struct State;
  std::unique_ptr<State> state_;
};

/// Waits until one of the workers, which have tasks, has news, but not longer than that [s]: who has, in their order. It
/// sleeps for `nap_s` first, so that answers gather.
std::vector<bool> wait_for_news(std::span<const WorkerProcess* const> workers, double nap_s, double patience_s);

/// Does the work in a process of its own and waits for its end; a run error after so long [s], and the process is ended.
ChildOutcome run_forked(const std::function<std::string()>& work, double limit_s = kInfinity);
/// The same. @throws what ChildOutcome::get() throws.
std::string in_child_process(const std::function<std::string()>& work);

/// Called around forks: in the parent before and after, and in the child.
struct ForkWatch {
  void (*before)();
  void (*in_parent)();
  void (*in_child)();
};

/// From now on, for the process: pthread_atfork() would tell of other forks too, of which the interpreter knows.
void watch_forks(const ForkWatch& watch);

/// What a forked child does first: it ends with its parent, and leaves signals for the whole group to it.
void become_child_of(pid_t parent);

}  // namespace nowsim
