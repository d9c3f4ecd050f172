// What words in experiments may name in a Python process.
#pragma once

#include <pybind11/pybind11.h>

#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

/// What user code has registered (nowsim/additions.py).
Additions additions_of(const pybind11::object& registered);
/// That, and nowsim's own.
Registries registries_with(const pybind11::object& registered);

}  // namespace nowsim
