// Names of things that only a user's registry knows, looked for among the values of an experiment.
#include "experiments/driver/points/origin.hpp"

#include <set>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

std::set<std::string> values_in(const Settings& settings, const Sweep& sweep) {
  std::set<std::string> values;
  for (const auto& [key, setting] : settings) values.insert(setting.texts.begin(), setting.texts.end());
  for (const auto& axis : sweep.axes)
    for (const auto& step : axis.values) values.insert(step.begin(), step.end());
  return values;
}

template <class Thing>
void add_foreign(const char* kind, const Registry<Thing>& known, const Registry<Thing>& own,
                 const std::set<std::string>& values, std::vector<std::string>& found) {
  for (const Thing& thing : known)
    if (own.find(thing.name) == nullptr && values.contains(thing.name))
      found.push_back(std::string(kind) + " " + quoted(thing.name));
}

}  // namespace

std::vector<std::string> user_code_in(const Settings& settings, const Sweep& sweep, const Registries& registries) {
  const std::set<std::string> values = values_in(settings, sweep);
  std::vector<std::string> found;
  add_foreign("workload", registries.workloads, builtin_workloads(), values, found);
  add_foreign("technique", registries.techniques, builtin_techniques(), values, found);
  add_foreign("policy", registries.policies, builtin_policies(), values, found);
  add_foreign("owner model", registries.owners, builtin_owner_models(), values, found);
  add_foreign("metric", registries.metrics, builtin_metrics(), values, found);
  return found;
}

}  // namespace nowsim
