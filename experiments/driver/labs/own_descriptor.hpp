// A descriptor that is closed when nobody needs it any more.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "sim/base/error.hpp"

namespace nowsim {

class OwnDescriptor {
 public:
  /// What a call of the system gave. @throws RunError where that is none.
  explicit OwnDescriptor(int fd) : fd_(fd) {
    if (fd < 0) throw RunError(std::string("a descriptor cannot be had: ") + std::strerror(errno));
  }
  ~OwnDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  OwnDescriptor(OwnDescriptor&& other) noexcept : fd_(other.release()) {}
  OwnDescriptor& operator=(OwnDescriptor&&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace nowsim
