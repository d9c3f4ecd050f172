// The `platform:` block: a SimGrid file, or workstations to generate.
#pragma once

#include <memory>

#include "experiments/driver/reading/platform_cache.hpp"
#include "experiments/driver/reading/reader.hpp"

namespace nowsim {

/// The block's keys, those of failures and of links too.
const KeyTable& platform_keys();

/// Reads the block. Null after a problem, which is noted.
std::shared_ptr<const Platform> read_platform(Reading& reading, PlatformCache& cache);

}  // namespace nowsim
