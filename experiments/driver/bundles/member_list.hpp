// What is asked of every member of an archive, whatever the archive's kind; and the two kinds.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "experiments/driver/bundles/archive_members.hpp"

namespace nowsim {

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
