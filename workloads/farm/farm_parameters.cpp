// Reading a farm's parameters: each technique's own are read for it alone.
#include "workloads/farm/farm_parameters.hpp"

#include <cmath>
#include <limits>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

const Technique* read_technique(ParameterReader& read) {
  std::vector<std::string> names;
  for (const auto& technique : techniques()) names.push_back(technique.name);
  return &techniques()[read.choice("technique", names, 0)];
}

TechniqueParameters read_for(const Technique& technique, ParameterReader& read) {
  TechniqueParameters p;
  if (technique.has_least) p.min_chunk = read.count("min_chunk", 1, 1);
  for (const auto& key : technique.keys) p.own[key.name] = read.count(key.name, key.fallback, key.least);
  if (technique.check != nullptr) technique.check(p);
  return p;
}

}  // namespace

FarmParameters read_farm(ParameterReader& read) {
  TaskLaw costs(read);
  const Technique* technique = read_technique(read);
  if (technique->learns == Technique::Learns::task_times)
    check_kept_tasks(costs.tasks(), "technique: " + technique->name);
  TechniqueParameters own = read_for(*technique, read);
  own.cv = costs.cv();
  const double request = read.bytes("request", 0), input = read.bytes("input", 0), result = read.bytes("result", 0);
  const double overhead = read.time("overhead", 0);
  const double timeout = read.time("timeout", std::numeric_limits<double>::infinity());
  const double per_task = read.time("timeout_per_task", 0);
  if (!(timeout > 0)) throw InputError("timeout must be more than 0: it is how long the server waits for a chunk");
  if (per_task > 0 && std::isinf(timeout))
    throw InputError("timeout_per_task adds to timeout, which is not given: without it chunks are never overdue");
  return {std::move(costs), technique, own, request, input, result, overhead, timeout, per_task};
}

}  // namespace nowsim
