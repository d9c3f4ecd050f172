// Zhang & Yan's (1995) power weights of a platform's workstations: speeds as shares of the fastest one's.
#pragma once

#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// A workstation's property of this name with a program's behind it, such as weight:ep, is its power weight for that
/// program (ZY, Definition 1), as measured.
inline constexpr const char* kWeightProperty = "weight:";

/// max S of the workstations' speeds S_i [flop/s]; 0 without any.
double fastest_flops(const Platform& platform);
/// W_i = S_i/max S (ZY 1).
std::vector<double> power_weights(const Platform& platform);
/// sum W_i.
double total_power(const Platform& platform);
/// H = mean of 1 - W_i (ZY 4).
double heterogeneity(const Platform& platform);

}  // namespace nowsim
