// Jobs by shares, for tests of metrics.
#pragma once

#include <numeric>
#include <vector>

#include "tests/sim/run_fixture.hpp"

namespace nowsim::test {

using Values = std::vector<double>;

inline double sum(const Values& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Machines that compute their shares, whose sum is the job's work; those before `first_worker` are servers.
inline Scenario job(const Values& speed_flops, const Values& share_flop, int first_worker = 0,
                    const OwnerPtr& owner = dedicated_owner()) {
  Scenario s = scenario(machines(speed_flops, NetworkKind::none), compute_share, owner);
  s.workload = sharing({.work_flop = sum(share_flop), .first_worker = first_worker});
  s.share_flop = share_flop;
  return s;
}

}  // namespace nowsim::test
