// Moments of an availability of which nothing is known but its paths.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sim/owners/path.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// Of the availability over time, with their standard errors.
struct SampledMoments {
  double mean, sd;
  double mean_error = 0, sd_error = 0;
};

/// From the first `steps` steps of the paths of replications 0 .. `paths` - 1, as ratios to their time. Where paths end
/// in a step that lasts for ever each is that value, and all paths count alike.
SampledMoments sampled_moments(const std::function<std::unique_ptr<Path>(std::uint64_t replication)>& path, int paths,
                               int steps);

/// Owner::expected_left_s() by an owner's paths. With fixed random numbers, so that owners that are alike leave
/// the same; of 400 paths, or fewer where they are long: some 400,000 steps in all. `is_one`: all paths are the same.
double sampled_left_s(const std::function<std::unique_ptr<Path>(const StreamKey&)>& path, double seconds, bool is_one = false);

}  // namespace nowsim
