// A workload of one's own: a ring of ranks that exchange borders with both neighbours after every step.
#include "additions.hpp"

namespace {

using namespace nowsim;

class Stencil final : public Workload {
 public:
  Stencil(double work_flop, std::int64_t steps, double border_bytes)
      : Workload({.work_flop = work_flop, .phases = steps, .communicates = true}),
        steps_(steps), border_bytes_(border_bytes) {}

  Process run(Rank& self) const override {
    const int left = (self.index() + self.count() - 1) % self.count();
    const int right = (self.index() + 1) % self.count();
    for (std::int64_t step = 0; step < steps_; ++step) {
      co_await self.compute(self.share() / static_cast<double>(steps_));
      co_await self.isend(left, border_bytes_);
      co_await self.isend(right, border_bytes_);
      co_await self.receive(left);
      co_await self.receive(right);
    }
  }

 private:
  std::int64_t steps_;
  double border_bytes_;
};

}  // namespace

nowsim::WorkloadInfo stencil() {
  return {"stencil", "steps of computing and exchanging borders around a ring",
          {{"work", KeyType::work, kMustBeGiven, "of all ranks together"},
           {"steps", KeyType::count, "10", "of computing and exchanging", {1}},
           {"border", KeyType::bytes, "0", "of a message"}},
          [](KeyReader& read) {
            const double work_flop = read.value("work");
            const std::int64_t steps = read.whole("steps");
            return std::make_shared<Stencil>(work_flop, steps, read.value("border"));
          }};
}
