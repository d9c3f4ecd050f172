// From what Python says of a program to a workload.
#pragma once

#include <pybind11/pybind11.h>

#include "workloads/parts/registry.hpp"

namespace nowsim {

/// @param program an object of nowsim.programs.Program
WorkloadInfo python_workload(const pybind11::object& program);

}  // namespace nowsim
