// What words in experiments may name in a Python process.
#pragma once

#include <pybind11/pybind11.h>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// What user code has registered (nowsim/additions.py).
Additions additions_of(const pybind11::object& registered);
/// The same with nowsim's own. @throws InputError for a name that is taken.
Registries registries_with(const pybind11::object& registered);

/// What names of one's own must not be.
void bind_names(pybind11::module_& m);

}  // namespace nowsim
