// Files that nowsim reads where others may have put something else: plain ones alone, without waiting for anybody.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace nowsim {

/// An open file of the system's, closed when its holder goes.
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

/// Open for reading; not open where there is no plain file of this name: a link, a pipe, a folder, a device, or
/// nothing.
FileHandle open_plain_file(const std::string& path);
/// The bytes from where it stands on, so many at most; nothing, with errno set, where it cannot be read.
std::optional<std::string> read_up_to(const FileHandle& file, std::size_t most_bytes);

/// Whether a file or folder is the user's, and nobody else's to write.
bool is_own(const struct stat& status);
/// The same as open_plain_file(); not open where it is not the user's own.
FileHandle open_own_file(const std::string& path);
/// All that the user's own plain file holds; "" where there is none, or it cannot be read, or it holds more than `most`
/// bytes.
std::string read_own_file(const std::string& path, std::size_t most_bytes);

/// The folder in which nowsim keeps what it can make again: $XDG_CACHE_HOME/nowsim, or ~/.cache/nowsim; "" where there
/// is neither. It need not exist yet.
std::string user_cache_folder();

}  // namespace nowsim
