// The one list of nowsim's workloads; a new one adds its line here.
#include "workloads/registry.hpp"

#include <stdexcept>

#include "workloads/all_to_all.hpp"
#include "workloads/augmented_task.hpp"
#include "workloads/base_task.hpp"
#include "workloads/cholesky.hpp"
#include "workloads/edge_detection.hpp"
#include "workloads/ep.hpp"
#include "workloads/gauss.hpp"
#include "workloads/genetic_algorithm.hpp"
#include "workloads/matrix_multiply.hpp"
#include "workloads/merge_sort.hpp"
#include "workloads/ping_pong.hpp"
#include "workloads/recording_reader.hpp"
#include "workloads/stochastic_time.hpp"
#include "workloads/task_farm.hpp"

namespace nowsim {

void WorkloadRegistry::add(WorkloadInfo info) {
  if (find(info.name) != nullptr) throw std::invalid_argument("there is already a workload named " + info.name);
  all_.push_back(std::move(info));
}

const WorkloadInfo* WorkloadRegistry::find(const std::string& name) const {
  for (const auto& info : all_)
    if (info.name == name) return &info;
  return nullptr;
}

IdentifiedWorkload make_workload(const WorkloadInfo& info, ParameterReader& parameters) {
  RecordingReader reader(parameters, info.later);
  auto workload = info.make(reader);
  return {std::move(workload), info.name + " version=" + std::to_string(info.version) + reader.record()};
}

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
