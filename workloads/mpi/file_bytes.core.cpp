// In the core, which has no pages to be mapped and no libmd: the file is read into memory.
#include "workloads/mpi/file_bytes.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "workloads/mpi/content_hash.hpp"

namespace nowsim {

MappedFile::MappedFile(int file_descriptor) {
  // Not by fstat(), which emscripten asks of the name that the file was opened by: it may have another one by now.
  const off_t size = lseek(file_descriptor, 0, SEEK_END);
  if (size < 0) throw std::system_error(errno, std::generic_category());
  size_ = static_cast<std::size_t>(size);
  const std::shared_ptr<char[]> read_bytes(new char[size_]);  // aligned for whatever is read out of it
  data_ = read_bytes;
  for (std::size_t done = 0; done < size_;) {
    const ssize_t n = pread(file_descriptor, read_bytes.get() + done, size_ - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw std::system_error(n < 0 ? errno : EIO, std::generic_category());
    done += static_cast<std::size_t>(n);
  }
}

void MappedFile::forget(const void*, std::size_t) const {}  // it would have to be read again

struct TextHash::State {
  ContentHash hash;
};

TextHash::TextHash() : state_(new State, [](State* state) { delete state; }) {}
void TextHash::add(std::string_view bytes) { state_->hash.add(bytes); }
std::string TextHash::text() { return state_->hash.text(); }

}  // namespace nowsim
