// A job that is run, with its baseline, and its metrics by their names, for tests of identities between these.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "experiments/driver/points/point_builder.hpp"
#include "sim/engines/engine.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim::test {

/// A point of a dedicated job and its baseline.
struct Measured {
  explicit Measured(const Scenario& s) : scenario(s), statistics(simulated(s)), baseline(simulated(alone_of(s))) {}
  [[nodiscard]] double operator()(const std::string& metric) const {
    return find_metric(metric)->estimate({&scenario, 0, 0.95, &baseline.makespan_s}, statistics).front().value;
  }

 private:
  static Scenario alone_of(const Scenario& s) {
    AlonePlatforms platforms;
    return *fastest_alone(s, platforms);
  }
  static PointStatistics simulated(const Scenario& s) {
    PointStatistics statistics(s, 0);
    statistics.add(BatchRunner().run(Engine::simgrid, s, {0, 2}));
    return statistics;
  }
  Scenario scenario;
  PointStatistics statistics, baseline;
};

inline Approx same_as(double x) { return Approx(x).epsilon(1e-9); }

}  // namespace nowsim::test
