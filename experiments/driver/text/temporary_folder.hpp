// A folder for files that are needed for a moment.
#pragma once

#include <filesystem>

namespace nowsim {

/// A new folder among the system's temporary files; removed with what is in it.
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
};

}  // namespace nowsim
