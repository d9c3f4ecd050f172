// Archives, .tar.gz or .zip: written so that the same files give the same bytes, and read back.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

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

/// A file's next bytes, which stay until the ones after them are asked for; none at its end.
using NextBlock = std::function<std::string_view()>;

/// Hands out the files of an archive in its order, without "./" before their paths, in memory that does not depend on
/// how large they are. @throws what members_of_archive() throws, before anything is handed out; InputError where a file
/// cannot be unpacked.
void read_archive(const std::string& file, std::uint64_t most_bytes,
                  const std::function<void(const std::string& path, const NextBlock& next)>& take);

}  // namespace nowsim
