// Lists joined.
#include "experiments/driver/reading/registries.hpp"

#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {
namespace {

template <class Thing>
bool is_taken(const std::string& name, const Registry<Thing>& known) {
  return known.find(name) != nullptr;
}
/// T_q is a quantile for any q, and what looks like one is a mistake.
bool is_taken(const std::string& name, const Registry<Metric>& known) {
  return find_metric(name, known) != nullptr || !quantile_name_problem(name).empty();
}

template <class Thing>
Registry<Thing> registry_of(const char* kind, Registry<Thing> all, const std::vector<Thing>& more) {
  for (const Thing& thing : more) {
    if (is_taken(thing.name, all))
      throw InputError("there is already a " + std::string(kind) + " " + quoted(thing.name) +
                       ": one's own needs another name");
    all.add(thing);
  }
  return all;
}

}  // namespace

Registries::Registries(const Additions& additions, std::span<const CheckKind> check_kinds, FigureKinds figure_kinds)
    : owners(registry_of("model of owners", builtin_owner_models(), additions.owners)),
      policies(registry_of("policy", builtin_policies(), additions.policies)),
      metrics(registry_of("metric", builtin_metrics(), additions.metrics)),
      techniques(registry_of("technique", builtin_techniques(), additions.techniques)),
      workloads(registry_of("workload", builtin_workloads(techniques), additions.workloads)), checks(check_kinds),
      figures(std::move(figure_kinds)) {}

Registries Registries::with(const Technique& technique) const {
  Registries all = *this;
  all.techniques = registry_of("technique", techniques, {technique});
  all.workloads = builtin_workloads(all.techniques);
  for (const WorkloadInfo& workload : workloads)
    if (all.workloads.find(workload.name) == nullptr) all.workloads.add(workload);
  return all;
}

}  // namespace nowsim
