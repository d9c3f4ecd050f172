// XXH3 of 128 bits (xxHash), at once or piece by piece: a name for contents, no protection against intent.
#pragma once

#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>

#include <cinttypes>
#include <cstdio>
#include <string>
#include <string_view>

namespace nowsim {

/// What has been added so far. A piece costs a few nanoseconds, and this half a kibibyte.
class ContentHash {
 public:
  ContentHash() { XXH3_128bits_reset(&state_); }
  void add(std::string_view bytes) { XXH3_128bits_update(&state_, bytes.data(), bytes.size()); }
  /// In hexadecimal, the same on every kind of machine.
  [[nodiscard]] std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    char digits[33];
    std::snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64);
    return digits;
  }

 private:
  XXH3_state_t state_;
};

}  // namespace nowsim
