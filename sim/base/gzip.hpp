// Files that gzip has compressed: told by their first bytes, whatever they are called, and unpacked up to a bound.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nowsim {

/// Whether these bytes begin as gzip's do (RFC 1952, 2.3.1), and text never does.
bool is_gzip(std::string_view bytes);
/// What they were before, of several members in a row all. @throws InputError naming the file where they are damaged,
/// break off, come to more than `most_bytes`, or where this build of nowsim cannot unpack (in a browser).
std::string gunzipped(const std::string& bytes, const std::string& file, std::uint64_t most_bytes);

}  // namespace nowsim
