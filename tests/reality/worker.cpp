// A task: a fixed amount of arithmetic on one core, begun at a date.
// usage: reality_worker CORE STEPS   (prints "ready", reads the date [s, CLOCK_MONOTONIC], prints end, CPU time, result)
#include "machine.hpp"
#include "steps.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: reality_worker CORE STEPS\n", stderr), 2;
  reality::die_with_parent();
  reality::pin_to(std::atoi(argv[1]));
  const long long steps = std::atoll(argv[2]);
  std::puts("ready");
  std::fflush(stdout);
  double begin_s = 0;
  if (std::scanf("%lf", &begin_s) != 1) return 1;
  const volatile sig_atomic_t never = 0;
  reality::sleep_until(begin_s, never);
  const double cpu_s = reality::cpu_s();
  const double result = reality::arithmetic(steps);
  std::printf("%.9f %.9f %.17g\n", reality::now_s(), reality::cpu_s() - cpu_s, result);
}
