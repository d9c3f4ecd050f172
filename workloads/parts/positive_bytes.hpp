// Sizes in bytes of things that a workload's data consist of, which cannot be nothing.
#pragma once

#include <string>

#include "sim/base/parameters.hpp"

namespace nowsim {

/// The parameter `name` [B], which is the size of what `of_what` says ("an element of the matrices").
/// @throws InputError where it is 0.
double positive_bytes(ParameterReader& read, const std::string& name, double fallback, const std::string& of_what);

}  // namespace nowsim
