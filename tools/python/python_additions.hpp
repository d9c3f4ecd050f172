// From functions of the user's, as nowsim.number_functions describes them, to what nowsim knows of such things.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/splitting/policies.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// What ranks that call it need. Python's code calls itself through C up to a thousand times, each on the rank's stack;
/// nobody waits for longer than ten minutes where code may be wrong.
inline UserCode python_code(std::string identity) { return {std::move(identity), 2048, 600}; }

Technique python_technique(const pybind11::object& described);
Policy python_policy(const pybind11::object& described);
OwnerModelInfo python_owner(const pybind11::object& described);
Metric python_metric(const pybind11::object& described);

/// Names of the variables that functions of a kind may have for parameters, with what they are.
void bind_variables(pybind11::module_& m);

}  // namespace nowsim
