// The one list of nowsim's workloads; a new one adds its line here.
#include "workloads/built_in.hpp"

#include "sim/base/registry.hpp"

namespace nowsim {

using WorkloadMaker = WorkloadInfo();

// clang-format off
NOWSIM_LISTED(WorkloadMaker, kBuiltIn,
              base_task,
              augmented_task,
              ping_pong,
              all_to_all,
              stochastic_time,
              ep,
              edge_detection,
              merge_sort,
              matrix_multiply,
              cholesky,
              gauss,
              genetic_algorithm,
              mpi_trace);
// clang-format on
WorkloadInfo task_farm(const Registry<Technique>& techniques);

WorkloadRegistry builtin_workloads(const Registry<Technique>& techniques) {
  WorkloadRegistry registry;
  for (WorkloadMaker* make : kBuiltIn) registry.add(make());
  registry.add(task_farm(techniques));
  return registry;
}

}  // namespace nowsim
