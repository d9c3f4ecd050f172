// Jobs by shares, and what replications of them leave behind: for tests of metrics.
#pragma once

#include <numeric>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

using Values = std::vector<double>;

inline double sum(const Values& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Machines that compute their shares, whose sum is the job's work; those before `first_worker` are servers.
inline Scenario job(const Values& speed_flops, const Values& share_flop, int first_worker = 0,
                    const OwnerPtr& owner = dedicated_owner()) {
  Scenario s = scenario(machines(speed_flops, NetworkKind::none), compute_share, owner);
  s.workload = std::make_shared<const LambdaWorkload>(
      compute_share, ProgramDescription{.work_flop = sum(share_flop), .first_worker = first_worker});
  s.share_flop = share_flop;
  return s;
}

/// Of these replications.
inline PointStatistics gathered(const Scenario& s, const std::vector<RunResult>& runs, double deadline_s = 0) {
  PointStatistics statistics(s, deadline_s);
  statistics.add(make_record(s, {0, runs.size()}, runs));
  return statistics;
}

/// Of the first so many, on the direct engine.
inline PointStatistics simulated(const Scenario& s, std::uint64_t replications) {
  PointStatistics statistics(s, 0);
  statistics.add(BatchRunner().run(Engine::direct, s, {0, replications}));
  return statistics;
}

}  // namespace nowsim::test
