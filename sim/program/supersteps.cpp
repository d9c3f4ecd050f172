// Supersteps operation by operation.
#include "sim/program/supersteps.hpp"

#include <utility>

#include "sim/program/workload.hpp"

namespace nowsim {
namespace {

class Repetition final : public SuperstepSequence {
 public:
  Repetition(const Superstep& step, std::int64_t times) : step_(step), left_(times) {}
  const Superstep* next() override {
    if (left_ == 0) return nullptr;
    --left_;
    step_.repeats = std::exchange(has_begun_, true);
    return &step_;
  }

 private:
  Superstep step_;
  std::int64_t left_;
  bool has_begun_ = false;
};

}  // namespace

std::unique_ptr<SuperstepSequence> RepeatedStep::begin(std::span<const double> share_flop) const {
  Superstep step = step_;
  step.work_flop = share_flop;
  step.parts = static_cast<double>(times_);
  return std::make_unique<Repetition>(step, times_);
}

Process broadcast_and_compute(Rank& self, const Superstep& step, Tree tree) {
  co_await broadcast(self, step.root, step.bytes, {}, tree);
  co_await self.compute(step.work_of(index_of(self.index())));
}

Process run_supersteps(Rank& self, const Supersteps& program) {
  const auto sequence = program.begin(self.shares());
  const std::optional<Tree> tree = program.broadcast_tree();
  while (const Superstep* step = sequence->next()) {
    if (step->root != Superstep::kNobody) co_await broadcast_and_compute(self, *step, tree.value());
    else co_await self.compute(step->work_of(index_of(self.index())));
    if (step->meets_before_moving) co_await self.barrier(step->barrier_cost_s);
    if (step->own_bytes > 0) co_await self.transfer(step->own_bytes);
    if (step->meets) co_await self.barrier(step->barrier_cost_s);
  }
}

Process Workload::run(Rank& self) const { return run_supersteps(self, *program_.supersteps); }

}  // namespace nowsim
