// The parts that the extension is put together from, each in a file of its own.
#pragma once

#include <pybind11/pybind11.h>

namespace nowsim {

/// Experiments and what they came to.
void bind_results(pybind11::module_& m);
/// Programs written as generators.
void bind_programs(pybind11::module_& m);

}  // namespace nowsim
