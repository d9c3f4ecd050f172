// Starting tasks one by one; messages to and from rank 0, in turn.
#include "workloads/parts/master.hpp"

namespace nowsim {

Process begin_after_spawning(Rank& self, double spawn_s) {
  const int started = self.index() == 0 ? self.count() - 1 : self.index();
  if (!(spawn_s > 0 && started > 0)) co_return;
  note_next(self, {Meant::spawn});
  co_await self.sleep_until(started * spawn_s);
}

Process deal_out(Rank& self, BytesOfRank bytes_of, MessageWork work) {
  if (self.index() > 0) {
    if (const double bytes = bytes_of(self.index()); bytes > 0) {
      co_await self.receive(0);
      if (const double flop = work.of(bytes); flop > 0) co_await compute_for_message(self, flop);
    }
    co_return;
  }
  for (int rank = 1; rank < self.count(); ++rank)
    if (const double bytes = bytes_of(rank); bytes > 0) {
      if (const double flop = work.of(bytes); flop > 0) co_await compute_for_message(self, flop);
      co_await self.send(rank, bytes);
    }
}

Process take_back(Rank& self, BytesOfRank bytes_of, MessageWork work) {
  if (self.index() > 0) {
    if (const double bytes = bytes_of(self.index()); bytes > 0) {
      if (const double flop = work.of(bytes); flop > 0) co_await compute_for_message(self, flop);
      co_await self.send(0, bytes);
    }
    co_return;
  }
  for (int rank = 1; rank < self.count(); ++rank)
    if (const double bytes = bytes_of(rank); bytes > 0) {
      co_await self.receive(rank);
      if (const double flop = work.of(bytes); flop > 0) co_await compute_for_message(self, flop);
    }
}

/// Relative to the root, a parent is the number without its lowest set bit; children have one bit more below it.
Process pass_along_tree(Rank& self, int root, double bytes, MessageWork work) {
  const int count = self.count(), me = (self.index() - root + count) % count;
  const double flop = work.of(bytes);
  int bit = 1;
  while (bit < count && (me & bit) == 0) bit <<= 1;
  if (me > 0) {
    co_await self.receive(((me & ~bit) + root) % count);
    if (flop > 0) co_await compute_for_message(self, flop);
  }
  for (bit >>= 1; bit > 0; bit >>= 1) {
    if (me + bit >= count) continue;
    if (flop > 0) co_await compute_for_message(self, flop);
    co_await self.send((me + bit + root) % count, bytes);
  }
}

}  // namespace nowsim
