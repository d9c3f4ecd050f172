// Starting tasks one by one; messages to and from rank 0, in turn.
#include "workloads/parts/master.hpp"

namespace nowsim {

Process begin_after_spawning(Rank& self, double spawn_s) {
  const int started = self.index() == 0 ? self.count() - 1 : self.index();
  if (spawn_s > 0 && started > 0) co_await self.sleep_until(started * spawn_s);
}

Process deal_out(Rank& self, BytesOfRank bytes_of) {
  if (self.index() > 0) {
    if (bytes_of(self.index()) > 0) co_await self.receive(0);
    co_return;
  }
  for (int rank = 1; rank < self.count(); ++rank)
    if (const double bytes = bytes_of(rank); bytes > 0) co_await self.send(rank, bytes);
}

Process take_back(Rank& self, BytesOfRank bytes_of) {
  if (self.index() > 0) {
    if (const double bytes = bytes_of(self.index()); bytes > 0) co_await self.send(0, bytes);
    co_return;
  }
  for (int rank = 1; rank < self.count(); ++rank)
    if (bytes_of(rank) > 0) co_await self.receive(rank);
}

}  // namespace nowsim
