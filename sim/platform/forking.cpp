// The one watch of the process, as there is one fork().
#include "sim/platform/forking.hpp"

#include <unistd.h>

#include <cerrno>

namespace nowsim {
namespace {

ForkWatch& fork_watch() {
  constexpr auto nothing = [] {};
  static ForkWatch watch{nothing, nothing, nothing};
  return watch;
}

}  // namespace

void watch_forks(const ForkWatch& watch) { fork_watch() = watch; }

pid_t watched_fork() {
  fork_watch().before();
  const pid_t pid = fork();
  const int error = errno;
  if (pid == 0) fork_watch().in_child();
  else fork_watch().in_parent();
  errno = error;
  return pid;
}

}  // namespace nowsim
