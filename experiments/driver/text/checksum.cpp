// The checksum, by the library xxHash.
#include "experiments/driver/text/checksum.hpp"

#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>

#include <bit>

#include <fmt/format.h>

namespace nowsim {

std::string content_name(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::int64_t checksum(std::string_view bytes) { return std::bit_cast<std::int64_t>(XXH3_64bits(bytes.data(), bytes.size())); }

}  // namespace nowsim
