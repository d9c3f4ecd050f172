// The `run:` block, but for its seed: replications, precision, confidence, deadline, engine, baseline, reference.
#pragma once

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/reader.hpp"

namespace nowsim {

const KeyTable& run_keys();

/// The block, but for its seed: that alone often differs between points.
struct RunBlock {
  RunPlan plan;
  bool baseline_is_first;  ///< the speedup's baseline is the point with one workstation, not the fastest one alone
  std::string reference;   ///< the swept key along which points are compared with the first; "" for none
};
/// Notes problems, and gives a harmless block after them.
RunBlock read_run(Reading& reading, const Registry<Metric>& metrics);

}  // namespace nowsim
