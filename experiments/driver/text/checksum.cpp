// The checksum, by the library xxHash.
#include "experiments/driver/text/checksum.hpp"

#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>

#include <bit>

namespace nowsim {

std::int64_t checksum(std::string_view bytes) { return std::bit_cast<std::int64_t>(XXH3_64bits(bytes.data(), bytes.size())); }

}  // namespace nowsim
