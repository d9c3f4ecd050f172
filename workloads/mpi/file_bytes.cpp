// By mmap(2), and the library libmd.
#include "workloads/mpi/file_bytes.hpp"

#include <sha2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace nowsim {

MappedFile::MappedFile(int file_descriptor) {
  struct stat status {};
  if (fstat(file_descriptor, &status) != 0) throw std::system_error(errno, std::generic_category());
  if (status.st_size == 0) return;  // mmap() refuses that
  size_ = static_cast<std::size_t>(status.st_size);
  void* const mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_descriptor, 0);
  if (mapped == MAP_FAILED) throw std::system_error(errno, std::generic_category());
  data_ = {static_cast<const char*>(mapped), [mapped, size = size_](const char*) { munmap(mapped, size); }};
}

/// With the page that it begins in, which the part before it had to leave.
void MappedFile::forget(const void* part, std::size_t bytes) const {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<std::uintptr_t>(part);
  const std::uintptr_t begin = at / page * page, end = (at + bytes) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

struct TextHash::State {
  SHA2_CTX context;
};

TextHash::TextHash() : state_(new State, [](State* state) { delete state; }) { SHA256Init(&state_->context); }
void TextHash::add(std::string_view bytes) {
  SHA256Update(&state_->context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}
std::string TextHash::text() {
  char digits[SHA256_DIGEST_STRING_LENGTH];
  return SHA256End(&state_->context, digits);
}

}  // namespace nowsim
