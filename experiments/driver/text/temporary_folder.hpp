// A folder for files that are needed for a moment.
#pragma once

#include <filesystem>

#include "sim/base/plain_file.hpp"

namespace nowsim {

/// A new folder among the system's temporary files; removed with what is in it. Where its process was killed, the next
/// one on the same machine removes it: as long as a process lives that has it, or a child of that, it is locked.
class TemporaryFolder {
 public:
  /// @throws RunError where none can be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileHandle lock_;
};

/// Removes those of this user in a folder that were made on this machine and whose processes have all ended. Which may
/// be one of a living process, and what cannot be locked, stays. The constructor does so once per process.
void remove_dead_folders(const std::filesystem::path& among);

}  // namespace nowsim
