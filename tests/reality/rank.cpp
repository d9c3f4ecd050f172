// A rank of a real parallel job: computes on one core what it is told, as often as it is told.
// usage: reality_rank CORE   (prints "ready"; for each line with a number of steps computes them and prints when that
// began and ended [s, CLOCK_MONOTONIC] and the CPU time that it took; ends with its input)
#include "machine.hpp"
#include "steps.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: reality_rank CORE\n", stderr), 2;
  reality::die_with_parent();
  reality::pin_to(std::atoi(argv[1]));
  std::puts("ready");
  std::fflush(stdout);
  for (long long steps = 0; std::scanf("%lld", &steps) == 1;) {
    const double begin_s = reality::now_s(), cpu_s = reality::cpu_s();
    const volatile double result = reality::arithmetic(steps);
    (void)result;
    std::printf("%.9f %.9f %.9f\n", begin_s, reality::now_s(), reality::cpu_s() - cpu_s);
    std::fflush(stdout);
  }
}
