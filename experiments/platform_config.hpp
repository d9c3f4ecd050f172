// The `platform:` block: a SimGrid file, or workstations to generate.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "experiments/reader.hpp"
#include "sim/platform.hpp"

namespace nowsim {

/// Platforms loaded so far: points of a sweep share them.
using PlatformCache = std::map<std::string, std::shared_ptr<const Platform>>;

/// Reads the block. Null after a problem, which is noted.
std::shared_ptr<const Platform> read_platform(Reading& reading, PlatformCache& cache);

}  // namespace nowsim
