// The one place where a Python process makes its registries.
#include "tools/python/registries.hpp"

#include <map>

#include "experiments/driver/points/blocks.hpp"
#include "experiments/driver/reading/owner_config.hpp"
#include "tools/line/command_line.hpp"
#include "tools/python/python_additions.hpp"
#include "tools/python/python_description.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

template <class Thing>
std::vector<Thing> made_of(const py::object& described, Thing (*make)(const py::object&)) {
  std::vector<Thing> made;
  for (const py::handle it : described) made.push_back(make(py::reinterpret_borrow<py::object>(it)));
  return made;
}

/// Something of a kind that has a name, and nothing else.
Additions one_named(const std::string& kind, const std::string& name) {
  Additions additions;
  if (kind == "owner") additions.owners.emplace_back().name = name;
  if (kind == "policy") additions.policies.emplace_back().name = name;
  if (kind == "metric") additions.metrics.emplace_back().name = name;
  if (kind == "technique") additions.techniques.emplace_back().name = name;
  if (kind == "workload") additions.workloads.emplace_back().name = name;
  return additions;
}

using NamedKeys = std::map<std::string, std::string>;

/// Keys of the table that are no choice's own; of those within blocks the blocks.
void add_keys_of_all(NamedKeys& keys, const KeyTable& table, const std::string& whose) {
  for (const Key& key : table)
    if (key.of.empty()) keys.emplace(key.name.substr(0, key.name.find('.')), whose);
}

/// Keys that stand in a kind's block beside its own, and whose they are.
NamedKeys keys_of_block(const std::string& kind) {
  NamedKeys keys;
  if (kind == "policy") add_keys_of_all(keys, split_keys(builtin_policies()), "the block itself");
  if (kind == "owner") {
    add_keys_of_all(keys, owner_keys(builtin_owner_models()), "the block itself");
    for (const auto& pattern : owner_patterns()) add_keys_of_all(keys, pattern.keys, "the block itself");
  }
  if (kind == "technique" || kind == "workload") add_keys_of_all(keys, job_keys(builtin_workloads()), "the block itself");
  if (kind == "technique") add_keys_of_all(keys, builtin_workloads().find("task-farm")->keys, "the task farm");
  return keys;
}

}  // namespace

Additions additions_of(const py::object& registered) {
  return {.owners = made_of(registered.attr("owners"), python_owner),
          .policies = made_of(registered.attr("policies"), python_policy),
          .metrics = made_of(registered.attr("metrics"), python_metric),
          .techniques = made_of(registered.attr("techniques"), python_technique),
          .workloads = made_of(registered.attr("workloads"), python_workload)};
}

Registries registries_with(const py::object& registered) { return registries_with(additions_of(registered)); }

void bind_names(py::module_& m) {
  m.def("check_name", [](const std::string& kind, const std::string& name) {
    static_cast<void>(registries_with(one_named(kind, name)));
  });
  m.def("keys_of_block", [](const std::string& kind) {
    py::dict keys;
    for (const auto& [key, whose] : keys_of_block(kind)) keys[py::str(key)] = whose;
    return keys;
  });
}

}  // namespace nowsim
