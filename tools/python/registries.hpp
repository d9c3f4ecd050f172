// What words in experiments may name in a Python process.
#pragma once

#include <pybind11/pybind11.h>

#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

/// nowsim's own, and what user code has registered (nowsim/additions.py).
Registries registries_with(const pybind11::object& additions);

}  // namespace nowsim
