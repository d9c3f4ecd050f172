// By the library libmd.
#include "experiments/driver/text/sha256.hpp"

#include <sha2.h>
#include <sys/types.h>

#include <cstdint>

namespace nowsim {

std::string sha256(std::string_view bytes) {
  char digits[SHA256_DIGEST_STRING_LENGTH];
  return SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), digits);
}

}  // namespace nowsim
