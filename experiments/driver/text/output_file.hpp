// Files that nowsim makes, without losing what is there: written beside their place as a whole, or growing by whole
// lines, each of which is safe as soon as it is written.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <system_error>

#include "sim/base/plain_file.hpp"

namespace nowsim {

/// Checks that a file can be written there. @throws InputError where it is a folder or a device, its name is too long,
/// its folder is missing or may not be written.
void check_output_file(const std::string& path);

/// @throws RunError that says so.
[[noreturn]] void cannot_write(const std::string& path, const std::string& why);

/// Whether the file that is there, an ordinary one and no link, may go for the one that was made.
using MayReplace = std::function<bool(const std::filesystem::path& there, const std::filesystem::path& made)>;
bool has_same_bytes(const std::filesystem::path& there, const std::filesystem::path& made);
/// For files that are nowsim's alone, and made anew each time.
inline bool is_ours(const std::filesystem::path&, const std::filesystem::path&) { return true; }

/// Writes the file as a whole: an interruption leaves the old one. Whatever is there and may not be replaced, by default
/// all that has other bytes, is kept as the first free NAME.~1~, NAME.~2~, ...; returns its new name, or "". What other
/// programs put there at the same time is kept likewise, and the names are joined by " and ".
/// @throws RunError, and then the old one is where it was; what `write` throws.
std::string write_output_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                              const MayReplace& may_replace = has_same_bytes);

/// The bytes of a file of our own, such as one that was written before.
std::string bytes_of(const std::filesystem::path& file);

/// Renames a file to a name that nothing has: `error` is std::errc::file_exists where something has it. File systems
/// that cannot promise that are looked at before.
void rename_to_free(const std::filesystem::path& from, const std::filesystem::path& to, std::error_code& error);
/// Renames what is at a path to the first free NAME.~1~, NAME.~2~, ..., and returns that. `error` says why it could
/// not.
std::filesystem::path backup_file(const std::filesystem::path& path, std::error_code& error);

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
