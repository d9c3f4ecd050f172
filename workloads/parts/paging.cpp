// Waiting for pages, after the computing that needs them.
#include "workloads/parts/paging.hpp"

namespace nowsim {

double Paging::wait_s(const Workstation& host, double flop, double footprint_bytes) const {
  if (!host.extras->memory_bytes || footprint_bytes <= *host.extras->memory_bytes) return 0;
  return page_wait_s * flop * (1 - *host.extras->memory_bytes / footprint_bytes);
}

Process compute_in_memory(Rank& self, double flop, double footprint_bytes, Paging paging) {
  co_await self.compute(flop);
  const double wait_s = paging.wait_s(self.host(), flop, footprint_bytes);
  if (wait_s > 0) co_await self.sleep_until(self.now() + wait_s);
}

Process compute_alone(Rank& self, const ProgramDescription& program) {
  co_await self.compute(self.share());
  const double wait_s = program.paging_alone_s(self.host());
  if (wait_s > 0) co_await self.sleep_until(self.now() + wait_s);
}

}  // namespace nowsim
