// A file that grows by whole lines, each of which is safe as soon as it is written.
#pragma once

#include <string>

#include "sim/base/plain_file.hpp"

namespace nowsim {

/// An open file that no other process has locked; closing it unlocks it.
class LockedFile {
 public:
  LockedFile() = default;
  /// @throws InputError where another process has locked it or puts another in its place, RunError where it cannot be
  /// opened.
  LockedFile(const std::string& path, int flags);
  [[nodiscard]] int fd() const { return file_.get(); }

 private:
  FileHandle file_;
};

/// One process at a time writes such a file.
class AppendedFile {
 public:
  /// Begins a file with a header line. One that is there is kept as the first free NAME.~1~, NAME.~2~, ...; `kept()`
  /// says where. With `append` it is continued instead, if it has that header and ends with a whole line.
  /// @throws InputError where that is not so or another process writes it, RunError where the file cannot be made.
  AppendedFile(const std::string& path, const std::string& header, bool append);

  /// Adds a line and its end, and waits until it is on the disk. @throws RunError; a line that could not be written
  /// whole (the disk is full, say) is cut off again, so that the file can be continued.
  void add_line(const std::string& line);
  /// What was there before, under its new name; "": nothing.
  [[nodiscard]] const std::string& kept() const { return kept_; }

 private:
  void write_all(const std::string& text);
  std::string path_, kept_;
  LockedFile file_;
};

}  // namespace nowsim
