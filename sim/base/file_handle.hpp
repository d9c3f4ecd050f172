// An open file of the system's, closed when its holder goes.
#pragma once

#include <unistd.h>

#include <utility>

namespace nowsim {

class FileHandle {
 public:
  /// Takes over a file descriptor; -1: none.
  explicit FileHandle(int descriptor = -1) : descriptor_(descriptor) {}
  ~FileHandle() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileHandle(FileHandle&& other) noexcept : descriptor_(other.release()) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// Gives the descriptor away: who takes it closes it.
  [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

}  // namespace nowsim
