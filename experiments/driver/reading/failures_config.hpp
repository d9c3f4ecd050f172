// The block `platform.failures:` machines that fail at random and are repaired.
#pragma once

#include <memory>

#include "experiments/driver/reading/platform_cache.hpp"
#include "experiments/driver/reading/reader.hpp"

namespace nowsim {

/// The platform (one of the cache's; may be null) with what the block says: every workstation but the first `spared`
/// stays on for exponential times of rate `rate` [1/s] and then off for exponential times of mean `repair` [s], each
/// from its own stream. Without the block, with rate 0 or of one machine that is spared, the platform itself. Problems
/// are noted: among them machines that have a state profile already, and that all are spared.
std::shared_ptr<const Platform> with_failures(Reader& read, std::shared_ptr<const Platform> platform,
                                              PlatformCache& cache);

}  // namespace nowsim
