// What a monitor of a machine sees of its owner.
#pragma once

#include <cstdint>

#include "sim/owners/load_series.hpp"
#include "sim/owners/owner.hpp"

namespace nowsim::test {

/// Averages over steps of an owner's path in a replication, as a monitor takes them.
inline LoadSeries monitored(const Owner& owner, std::size_t n, double step_s, std::uint64_t replication,
                       std::uint64_t seed = 1) {
  const auto path = owner.path({seed, replication, 0});
  Step step = path->next();
  LoadSeries trace;
  for (std::size_t i = 0; i < n; ++i) {
    double left = step_s, work = 0;
    for (; step.duration_s < left; step = path->next()) {
      work += step.duration_s * step.value;
      left -= step.duration_s;
    }
    work += left * step.value;
    step.duration_s -= left;
    trace.add(step_s, work / step_s);
  }
  return trace;
}

}  // namespace nowsim::test
