// A checksum that tells damaged or changed bytes from those that were written.
#pragma once

#include <cstdint>
#include <string_view>

namespace nowsim {

/// XXH3, 64 bits (xxHash): as signed, which is what SQLite holds. No protection against intent.
std::int64_t checksum(std::string_view bytes);

}  // namespace nowsim
