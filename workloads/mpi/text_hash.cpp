// By the library libmd.
#include "workloads/mpi/text_hash.hpp"

#include <sha2.h>
#include <sys/types.h>

#include <cstdint>

namespace nowsim {

struct TextHash::State {
  SHA2_CTX context;
};

TextHash::TextHash() : state_(std::make_unique<State>()) { SHA256Init(&state_->context); }
TextHash::~TextHash() = default;
void TextHash::add(std::string_view bytes) {
  SHA256Update(&state_->context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}
std::string TextHash::text() {
  char digits[SHA256_DIGEST_STRING_LENGTH];
  return SHA256End(&state_->context, digits);
}

}  // namespace nowsim
