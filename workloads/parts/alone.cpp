// Computing, then waiting.
#include "workloads/parts/alone.hpp"

namespace nowsim {

Process compute_alone(Rank& self, const Workload& job) {
  co_await self.compute(self.share());
  const double wait_s = job.paging_alone_s(self.host());
  if (wait_s > 0) co_await self.sleep_until(self.now() + wait_s);
}

}  // namespace nowsim
