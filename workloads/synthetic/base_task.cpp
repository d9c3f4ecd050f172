// HL's base task: each rank computes its share, and that is all.
#include "workloads/parts/registry.hpp"

namespace nowsim {
namespace {

class BaseTask final : public Workload {
 public:
  explicit BaseTask(double work_flop) : Workload({.work_flop = work_flop}) {}
  Process run(Rank& self) const override { co_await self.compute(self.share()); }
};

}  // namespace

WorkloadInfo base_task() {
  return {"base-task", "each rank computes its share of the work; no communication (HL 2.2)",
          {{"work", KeyType::work, kMustBeGiven, "of all ranks together"}},
          [](ParameterReader& read) { return std::make_shared<BaseTask>(read.work("work")); }};
}

}  // namespace nowsim
