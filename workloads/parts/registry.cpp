// Looking workloads up, and making one with its identity.
#include "workloads/parts/registry.hpp"

#include <stdexcept>

#include "workloads/parts/recording_reader.hpp"

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

}  // namespace nowsim
