// Forks that an interpreter in the same process is told of, and what a child does first.
#pragma once

#include <sys/types.h>

namespace nowsim {

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
