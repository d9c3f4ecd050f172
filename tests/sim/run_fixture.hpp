// Runs and what they leave behind, for tests of engines and metrics.
#pragma once

#include <catch2/catch.hpp>

#include "sim/engines/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

/// To nine digits; about 0, to 1e-12.
inline Approx near(double expected) { return Approx(expected).epsilon(1e-9).margin(1e-12); }

/// A point's statistics.
inline PointStatistics gathered(const Scenario& s, const BatchRecord& record, double deadline_s = 0) {
  PointStatistics statistics(s, deadline_s);
  statistics.add(record);
  return statistics;
}
inline PointStatistics gathered(const Scenario& s, const std::vector<RunResult>& runs, double deadline_s = 0) {
  return gathered(s, make_record(s, {0, runs.size()}, runs), deadline_s);
}
/// Those of the direct engine's runs.
inline PointStatistics simulated(const Scenario& s, const Batch& batch, double deadline_s = 0) {
  return gathered(s, BatchRunner().run(Engine::direct, s, batch), deadline_s);
}

}  // namespace nowsim::test
