// Linux' files in memory, which have a name in /proc as long as they are open.
#include "tests/fuzz/input_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

namespace nowsim::test {

InputFile::InputFile(std::string_view bytes) : fd_(memfd_create("input", MFD_CLOEXEC)) {
  const auto size = static_cast<ssize_t>(bytes.size());
  if (fd_ < 0 || write(fd_, bytes.data(), bytes.size()) != size) throw std::runtime_error("no file in memory");
}

InputFile::~InputFile() { close(fd_); }

std::string InputFile::path() const { return "/proc/self/fd/" + std::to_string(fd_); }

}  // namespace nowsim::test
