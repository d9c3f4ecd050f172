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

std::string sha256(const std::function<std::string_view()>& next) {
  SHA2_CTX sum;
  SHA256Init(&sum);
  for (std::string_view block = next(); !block.empty(); block = next())
    SHA256Update(&sum, reinterpret_cast<const std::uint8_t*>(block.data()), block.size());
  char digits[SHA256_DIGEST_STRING_LENGTH];
  return SHA256End(&sum, digits);
}

}  // namespace nowsim
