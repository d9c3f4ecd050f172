// Supersteps message by message.
#include "sim/program/supersteps.hpp"

namespace nowsim {

Process broadcast_and_compute(Rank& self, const Superstep& step, Tree tree) {
  co_await broadcast(self, step.root, step.bytes, {}, tree);
  co_await self.compute(step.work_flop[static_cast<std::size_t>(self.index())]);
}

Process run_supersteps(Rank& self, const Supersteps& program) {
  const bool is_done = co_await self.supersteps_in_one_go(program);
  if (is_done) co_return;
  co_await self.barrier();
  const auto sequence = program.begin(self.shares());
  while (const Superstep* step = sequence->next()) {
    co_await broadcast_and_compute(self, *step, program.tree());
    co_await self.barrier();
  }
}

}  // namespace nowsim
