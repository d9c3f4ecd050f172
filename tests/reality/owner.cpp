// An owner: takes a core by a plan, and says when it really did.
// usage: reality_owner compete CORE | stop PID
// `compete` keeps the core busy itself, so that the scheduler shares it; `stop` stops the process PID and continues it.
// Reads the plan: the date of time 0 [s, CLOCK_MONOTONIC], the number of intervals, and begin and end of each. On
// SIGTERM, or at the plan's end, prints begin and end of every interval as they were.
#include <cstring>
#include <vector>

#include "machine.hpp"

namespace {

volatile sig_atomic_t stopped = 0;

struct Interval {
  double begin_s, end_s;
};

bool read_plan(double& zero_s, std::vector<Interval>& plan) {
  std::size_t count = 0;
  if (std::scanf("%lf %zu", &zero_s, &count) != 2) return false;
  plan.resize(count);
  for (auto& i : plan)
    if (std::scanf("%lf %lf", &i.begin_s, &i.end_s) != 2) return false;
  return true;
}

/// The process goes on however this one ends, but by SIGKILL.
void stop_until(double date_s, pid_t process) {
  if (kill(process, SIGSTOP) != 0) return;
  reality::sleep_until(date_s, stopped);
  kill(process, SIGCONT);
}

}  // namespace

int main(int argc, char** argv) {
  const bool competes = argc == 3 && std::strcmp(argv[1], "compete") == 0;
  if (!competes && !(argc == 3 && std::strcmp(argv[1], "stop") == 0))
    return std::fputs("usage: reality_owner compete CORE | stop PID\n", stderr), 2;
  reality::die_with_parent();
  struct sigaction action {};
  action.sa_handler = [](int) { stopped = 1; };
  sigaction(SIGTERM, &action, nullptr);
  if (competes) reality::pin_to(std::atoi(argv[2]));
  double zero_s = 0;
  std::vector<Interval> plan, seen;
  if (!read_plan(zero_s, plan)) return 1;
  for (const auto& i : plan) {
    reality::sleep_until(zero_s + i.begin_s, stopped);
    if (stopped != 0) break;
    const double begin_s = reality::now_s() - zero_s;
    if (competes) reality::spin_while([&] { return stopped == 0 && reality::now_s() < zero_s + i.end_s; });
    else stop_until(zero_s + i.end_s, std::atoi(argv[2]));
    seen.push_back({begin_s, stopped != 0 ? i.end_s : reality::now_s() - zero_s});
  }
  for (const auto& i : seen) std::printf("%.9f %.9f\n", i.begin_s, i.end_s);
}
