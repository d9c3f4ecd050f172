// From functions of the user's, as nowsim.number_functions describes them, to what nowsim knows of such things.
#pragma once

#include <pybind11/pybind11.h>

#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_model_info.hpp"
#include "sim/splitting/policies.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// Of a rank's stack where it needs one of its own: Python's code calls itself through C up to a thousand times.
inline constexpr int kPythonStack_kib = 2048;

Technique python_technique(const pybind11::object& described);
Policy python_policy(const pybind11::object& described);
OwnerModelInfo python_owner(const pybind11::object& described);
Metric python_metric(const pybind11::object& described);

/// Names of the variables that functions of a kind may have for parameters, with what they are.
void bind_variables(pybind11::module_& m);

}  // namespace nowsim
