// The one list of nowsim's workloads; a new one adds its line here.
#include "workloads/built_in.hpp"

#include "workloads/data_parallel/edge_detection.hpp"
#include "workloads/data_parallel/ep.hpp"
#include "workloads/data_parallel/merge_sort.hpp"
#include "workloads/farm/task_farm.hpp"
#include "workloads/genetic/genetic_algorithm.hpp"
#include "workloads/matrices/cholesky.hpp"
#include "workloads/matrices/gauss.hpp"
#include "workloads/matrices/matrix_multiply.hpp"
#include "workloads/synthetic/all_to_all.hpp"
#include "workloads/synthetic/augmented_task.hpp"
#include "workloads/synthetic/base_task.hpp"
#include "workloads/synthetic/ping_pong.hpp"
#include "workloads/synthetic/stochastic_time.hpp"

namespace nowsim {

WorkloadRegistry builtin_workloads() {
  WorkloadRegistry registry;
  registry.add(base_task());
  registry.add(augmented_task());
  registry.add(ping_pong());
  registry.add(all_to_all());
  registry.add(stochastic_time());
  registry.add(ep());
  registry.add(edge_detection());
  registry.add(merge_sort());
  registry.add(matrix_multiply());
  registry.add(cholesky());
  registry.add(gauss());
  registry.add(genetic_algorithm());
  registry.add(task_farm());
  return registry;
}

}  // namespace nowsim
