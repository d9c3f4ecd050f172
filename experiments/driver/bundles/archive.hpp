// Archives, .tar.gz or .zip: written so that the same files give the same bytes, and read back.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

namespace nowsim {

/// Whether the ending says how an archive is written: .tar.gz, .tgz, .zip.
bool is_archive_name(const std::string& name);

/// Writes an archive. Nobody owns its files, and all bear the same time, 1970, of which a .zip makes 1980.
class ArchiveWriter {
 public:
  /// @param name an archive's (is_archive_name()); `out` gets its bytes.
  ArchiveWriter(const std::string& name, std::ostream& out);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  /// @throws RunError.
  void add(const std::string& path, const std::string& bytes, bool is_program = false);
  /// Writes what is left. @throws RunError.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Hands out the files of an archive of any common kind, in its order, without "./" before their paths.
/// @throws InputError where it cannot be read, holds links or devices, or a file that is larger than any that is
/// bundled.
void read_archive(const std::string& file,
                  const std::function<void(const std::string& path, const std::string& bytes)>& take);

}  // namespace nowsim
