// Starting tasks one by one.
#include "workloads/parts/spawning.hpp"

namespace nowsim {

Process begin_after_spawning(Rank& self, double spawn_s) {
  const int started = self.index() == 0 ? self.count() - 1 : self.index();
  if (spawn_s > 0 && started > 0) co_await self.sleep_until(started * spawn_s);
}

}  // namespace nowsim
