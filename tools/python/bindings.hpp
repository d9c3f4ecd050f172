// The parts that the extension is put together from, each in a file of its own.
#pragma once

#include <pybind11/pybind11.h>

namespace nowsim {

/// Python's exceptions for nowsim's errors.
void bind_errors(pybind11::module_& m);
/// What experiments came to.
void bind_results(pybind11::module_& m);
/// Running experiments.
void bind_running(pybind11::module_& m);
/// The command line.
void bind_commands(pybind11::module_& m);
/// Programs written as generators.
void bind_programs(pybind11::module_& m);

}  // namespace nowsim
