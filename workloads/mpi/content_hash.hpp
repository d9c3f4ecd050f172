// XXH3 of 128 bits (xxHash), at once or piece by piece: a name for contents, no protection against intent.
#pragma once

#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>

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
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_));
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const unsigned char byte : canonical.digest) {
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
    return out;
  }

 private:
  XXH3_state_t state_;
};

}  // namespace nowsim
