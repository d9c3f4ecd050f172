// An input as a file, for readers that take its name: in memory, since a fuzzer writes so many.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace nowsim::test {

/// A file that is gone with the object: in memory, with a name in /proc as long as it is open.
class InputFile {
 public:
  /// @throws std::runtime_error where there is no memory for it.
  explicit InputFile(std::string_view bytes) : fd_(memfd_create("input", MFD_CLOEXEC)) {
    const auto size = static_cast<ssize_t>(bytes.size());
    if (fd_ < 0 || write(fd_, bytes.data(), bytes.size()) != size) throw std::runtime_error("no file in memory");
  }
  ~InputFile() { close(fd_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace nowsim::test
