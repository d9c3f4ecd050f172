// tau of a split by theory of normals, for tests.
#pragma once

#include <span>
#include <vector>

#include "sim/splitting/equalize.hpp"
#include "sim/statistics/closed_forms.hpp"

namespace nowsim::test {

/// E[max T_i] of independent normals with time_moments() [s].
inline double normal_tau(double work_flop, std::span<const MachineView> machines, std::span<const double> share_flop) {
  std::vector<double> mean, sd;
  for (const auto& m : time_moments(work_flop, machines, share_flop)) {
    mean.push_back(m.mean_s);
    sd.push_back(m.sd_s);
  }
  return expected_max_normals(mean, sd);
}

}  // namespace nowsim::test
