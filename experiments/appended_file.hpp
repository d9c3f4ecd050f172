// A file that grows by whole lines, each of which is safe as soon as it is written.
#pragma once

#include <string>

namespace nowsim {

/// One process at a time writes such a file.
class AppendedFile {
 public:
  /// Begins a file with a header line. One that is there is kept as the first free NAME.~1~, NAME.~2~, ...; `kept()`
  /// says where. With `append` it is continued instead, if it has that header and ends with a whole line.
  /// @throws InputError where that is not so or another process writes it, RunError where the file cannot be made.
  AppendedFile(const std::string& path, const std::string& header, bool append);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  /// Adds a line and its end, and waits until it is on the disk. @throws RunError.
  void add_line(const std::string& line);
  /// What was there before, under its new name; "": nothing.
  [[nodiscard]] const std::string& kept() const { return kept_; }

 private:
  void open_file(int flags);
  void write_all(const std::string& text);
  std::string path_, kept_;
  int fd_ = -1;
};

}  // namespace nowsim
