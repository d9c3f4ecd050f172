// Making room for a file without losing the one that is there.
#pragma once

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace nowsim {

/// Renames a file to a name that nothing has: `error` is std::errc::file_exists where something has it. File systems
/// that cannot promise that are looked at before.
inline void rename_to_free(const std::filesystem::path& from, const std::filesystem::path& to, std::error_code& error) {
  error.clear();
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  error = {errno, std::generic_category()};
  if (error != std::errc::invalid_argument && error != std::errc::function_not_supported) return;
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(to, ignored)))
    error = std::make_error_code(std::errc::file_exists);
  else
    std::filesystem::rename(from, to, error);
}

/// Renames what is at a path to the first free NAME.~1~, NAME.~2~, ..., and returns that. `error` says why it could
/// not.
inline std::filesystem::path backup_file(const std::filesystem::path& path, std::error_code& error) {
  for (int k = 1;; ++k) {
    const std::filesystem::path aside = path.string() + ".~" + std::to_string(k) + "~";
    rename_to_free(path, aside, error);
    if (error != std::errc::file_exists) return aside;
  }
}

}  // namespace nowsim
