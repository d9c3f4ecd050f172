// In the core, which has no pages to be mapped: reads the file into memory.
#include "workloads/mpi/mapped_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace nowsim {

MappedFile::MappedFile(int file_descriptor) {
  struct stat status {};
  if (fstat(file_descriptor, &status) != 0) throw std::system_error(errno, std::generic_category());
  size_ = static_cast<std::size_t>(status.st_size);
  char* const read_bytes = new char[size_];  // aligned for whatever is read out of it
  data_ = read_bytes;
  for (std::size_t done = 0; done < size_;) {
    const ssize_t n = pread(file_descriptor, read_bytes + done, size_ - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      delete[] data_;
      throw std::system_error(n < 0 ? errno : EIO, std::generic_category());
    }
    done += static_cast<std::size_t>(n);
  }
}

void MappedFile::forget(const void*, std::size_t) const {}  // it would have to be read again

MappedFile::~MappedFile() { delete[] data_; }

}  // namespace nowsim
