// HL's base task: each rank computes its share, and that is all.
#include "sim/program/supersteps.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

WorkloadInfo base_task() {
  return {"base-task", "each rank computes its share of the work; no communication (HL 2.2)",
          {{"work", KeyType::work, kMustBeGiven, "of all ranks together"}},
          [](KeyReader& read) {
            const auto once = std::make_shared<RepeatedStep>(Superstep{.meets = false}, 1);
            return std::make_shared<Workload>(ProgramDescription{.work_flop = read.value("work"), .supersteps = once});
          }};
}

}  // namespace nowsim
