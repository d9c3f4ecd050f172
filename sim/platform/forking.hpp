// Forks that an interpreter in the same process is told of.
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

/// fork(), watched.
pid_t watched_fork();

}  // namespace nowsim
