// Fewer, longer intervals that do for a long job what many short ones do.
#pragma once

#include "sim/owners/owner.hpp"

namespace nowsim {

/// See coarsened().
inline constexpr double kCoarseningError = 1e-3;

/// The same owner in fewer, longer intervals, for jobs that compute for so long on each machine: mean and variance of
/// what it leaves in the long run are the same, and a job's T_99 on up to a hundred machines is off by no
/// more than kCoarseningError of it, to first order. Null where that cannot be had, or saves nothing.
OwnerPtr coarsened(const Owner& owner, double time_s);

}  // namespace nowsim
