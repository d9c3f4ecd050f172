// Checksums, which tell damaged or changed bytes from those that were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace nowsim {

/// XXH3, 128 bits, in hexadecimal: a name for what is in a file. No protection against intent.
std::string content_name(std::string_view bytes);
inline constexpr std::size_t kContentNameLength = 32;

/// XXH3, 64 bits (xxHash): as signed, which is what SQLite holds. No protection against intent.
std::int64_t checksum(std::string_view bytes);

/// SHA-256 as `sha256sum` prints it, 64 hexadecimal digits: what tells others' copies of a file. In the core as TextHash.
std::string sha256(std::string_view bytes);
/// Of blocks, one after another up to one that is empty.
std::string sha256(const std::function<std::string_view()>& next);

}  // namespace nowsim
