// Making room for a file without losing the one that is there.
#pragma once

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace nowsim {

/// Renames what is at a path to the first free NAME.~1~, NAME.~2~, ..., and returns that. `error` says why it could
/// not.
inline std::filesystem::path set_aside(const std::filesystem::path& path, std::error_code& error) {
  for (int k = 1;; ++k) {
    std::filesystem::path aside = path.string() + ".~" + std::to_string(k) + "~";
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(aside, ignored))) continue;
    error.clear();
    if (renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, aside.c_str(), RENAME_NOREPLACE) == 0) return aside;
    if (errno == EEXIST) continue;  // another process was first
    const bool can_promise = errno != EINVAL;
    error = {errno, std::generic_category()};
    if (!can_promise) std::filesystem::rename(path, aside, error);  // as some file systems cannot
    return aside;
  }
}

}  // namespace nowsim
