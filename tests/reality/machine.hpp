// What worker and owner need of the machine: one clock, one core, and an end with their parent.
#pragma once

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace reality {

inline double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
/// The time that all processes of the machine agree on, and Python's time.monotonic().
inline double now_s() { return seconds(CLOCK_MONOTONIC); }
inline double cpu_s() { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
inline double thread_s() { return seconds(CLOCK_THREAD_CPUTIME_ID); }

/// Returns early where `stopped` gets set by a signal.
inline void sleep_until(double date_s, const volatile sig_atomic_t& stopped) {
  timespec t{};
  t.tv_sec = static_cast<time_t>(date_s);
  t.tv_nsec = static_cast<long>(1e9 * (date_s - static_cast<double>(t.tv_sec)));
  while (stopped == 0 && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

/// Computes meanwhile.
template <typename Condition>
void spin_while(const Condition& holds) {
  double x = 0.5;
  while (holds())
    for (int k = 0; k < 200; ++k) x = 3.7 * x * (1 - x);
  volatile double sink = x;
  (void)sink;
}

[[noreturn]] inline void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

inline void pin_to(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(core), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) fail("cannot be pinned to its core");
}

/// Whatever ends the script ends this process too, even a stopped one.
inline void die_with_parent() {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail("cannot be tied to the script");
  if (getppid() == 1) std::exit(1);
}

}  // namespace reality
