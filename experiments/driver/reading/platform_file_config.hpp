// The `platform:` block over a SimGrid file: which of its machines, at what speeds, on links of what figures.
#pragma once

#include <memory>

#include "experiments/driver/reading/platform_cache.hpp"
#include "experiments/driver/reading/reader.hpp"

namespace nowsim {

/// Reads file, hosts or set, workstations, weights with speed, and links. Null after a problem with the file's name,
/// which is noted. @throws InputError about the file, RunError where SimGrid takes longer to read it than so many seconds.
std::shared_ptr<const Platform> read_platform_file(Reader& read, PlatformCache& cache, double limit_s);

/// The whole platform of a file, which the cache knows, of one that read_platform_file() made of it; null of others.
const Platform* whole_platform(const PlatformCache& cache, const Platform& part);

}  // namespace nowsim
