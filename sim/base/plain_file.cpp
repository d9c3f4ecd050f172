// What was opened is looked at: the name may lead to something else by then.
#include "sim/base/plain_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace nowsim {

FileHandle open_plain_file(const std::string& path) {
  FileHandle file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  const bool is_plain = file.is_open() && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  return is_plain ? std::move(file) : FileHandle();
}

std::optional<std::string> read_up_to(const FileHandle& file, std::size_t most_bytes) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20U;
  std::string bytes;
  for (std::size_t done = 0; done < most_bytes;) {
    bytes.resize(std::min(most_bytes, done + kAtOnce));
    const ssize_t n = read(file.get(), bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    done += static_cast<std::size_t>(n);
    bytes.resize(done);
    if (n == 0) break;
  }
  return bytes;
}

bool is_own(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

FileHandle open_own_file(const std::string& path) {
  FileHandle file = open_plain_file(path);
  struct stat status {};
  return file.is_open() && fstat(file.get(), &status) == 0 && is_own(status) ? std::move(file) : FileHandle();
}

std::string read_own_file(const std::string& path, std::size_t most_bytes) {
  const FileHandle file = open_own_file(path);
  const auto bytes = file.is_open() ? read_up_to(file, most_bytes + 1) : std::nullopt;
  return bytes && bytes->size() <= most_bytes ? *bytes : "";
}

std::string user_cache_folder() {
  for (const auto& [variable, below] : {std::pair("XDG_CACHE_HOME", "nowsim"), std::pair("HOME", ".cache/nowsim")}) {
    // A path that is not absolute is ignored, as the XDG Base Directory Specification says.
    const char* const value = std::getenv(variable);
    const std::filesystem::path folder(value == nullptr ? "" : value);
    if (folder.is_absolute()) return (folder / below).string();
  }
  return "";
}

}  // namespace nowsim
