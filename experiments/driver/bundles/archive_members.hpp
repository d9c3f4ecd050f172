// The files of an archive by its own headers, where every program that unpacks it makes the same of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nowsim {

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

}  // namespace nowsim
