// Archives, .tar.gz or .zip: written so that the same files give the same bytes, and read back where every program that
// unpacks them makes the same of them.
#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct archive;  // libarchive's

namespace nowsim {

/// How archives' names end, which says how they are written.
inline constexpr const char* kArchiveEndings[] = {".tar.gz", ".tgz", ".zip"};
bool is_archive_name(const std::string& name);

/// Writes an archive. Nobody owns its files, and all bear the same time, 1970, of which a .zip makes 1980.
class ArchiveWriter {
 public:
  /// @param name an archive's (is_archive_name()); `out` gets its bytes.
  ArchiveWriter(const std::string& name, std::ostream& out);

  /// @throws RunError.
  void add(const std::string& path, const std::string& bytes, bool is_program = false);
  /// Writes what is left. @throws RunError.
  void finish();

 private:
  void check(int status) const;
  std::unique_ptr<archive, int (*)(archive*)> to_;
};

/// A file's next bytes, which stay until the ones after them are asked for; none at its end.
using NextBlock = std::function<std::string_view()>;

/// Hands out the files of an archive in its order, without "./" before their paths, in memory that does not depend on
/// how large they are. @throws what members_of_archive() throws, before anything is handed out; InputError where a file
/// cannot be unpacked.
void read_archive(const std::string& file, std::uint64_t most_bytes,
                  const std::function<void(const std::string& path, const NextBlock& next)>& take);

// ---- the files of an archive by its own headers --------------------------------------------------------------------

struct ArchiveMember {
  std::string path;  ///< without "./" before it
  std::uint64_t bytes = 0;
  bool is_folder = false;
};

struct ArchiveMembers {
  bool is_zip = false;               ///< else .tar, or .tar.gz
  std::vector<ArchiveMember> files;  ///< in the order in which they stand there, without folders
};

/// Goes through the headers, in memory that depends on the names alone. @throws InputError naming the archive where it
/// is neither a .tar, a .tar.gz nor a .zip, or damaged; where programs may differ about what is in it (global headers,
/// headers that contradict each other, members that overlap, bytes that belong to none); where it holds anything but
/// files and folders that their owner alone may write; where it is encrypted; where there are more files than a bundle
/// has, or they come to more than `most_bytes`; what check_member_paths() throws.
ArchiveMembers members_of_archive(const std::string& file, std::uint64_t most_bytes);

/// @throws InputError naming the archive where a path leads out of a folder or holds control characters, or two of them
/// are one file on some system, where capitals do not count.
void check_member_paths(const std::vector<ArchiveMember>& members, const std::string& archive);

/// What is asked of every member of an archive, whatever the archive's kind.
class MemberList {
 public:
  MemberList(std::string archive, std::uint64_t most_bytes);

  /// @param mode permissions, with the bits above them. @throws InputError.
  void add(std::string path, bool is_folder, std::uint64_t mode, std::uint64_t bytes);
  /// Its files. @throws what check_member_paths() throws.
  std::vector<ArchiveMember> finish();

  /// @throws InputError that begins with the archive's name.
  [[noreturn]] void refuse(const std::string& sentence) const;
  [[noreturn]] void refuse_kind(const std::string& path) const;  ///< of a link or a device
  [[noreturn]] void refuse_damaged(const std::string& reason) const;
  [[nodiscard]] const std::string& archive() const { return archive_; }

  static constexpr std::uint64_t kMostPathBytes = 4096;  ///< what Linux takes

 private:
  std::string archive_;
  std::uint64_t most_bytes_, bytes_ = 0, path_bytes_ = 0;
  std::vector<ArchiveMember> members_;
};

/// Of a .tar (POSIX.1's ustar and pax, GNU tar's), or one that gzip has compressed. @throws InputError.
void add_tar_members(std::ifstream& in, bool is_gzip, MemberList& list);
/// Of a .zip (PKWARE's APPNOTE.TXT) without Zip64, in the order in which they stand there. @throws InputError.
void add_zip_members(std::ifstream& in, MemberList& list);

}  // namespace nowsim
