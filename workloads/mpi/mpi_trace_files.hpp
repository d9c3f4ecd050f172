// Which files a recorded program's trace consists of, by what a user names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nowsim {

/// The list that SMPI writes, one file a line, and the files.
struct MpiTraceFiles {
  std::string list;                ///< path of the list
  std::vector<std::string> named;  ///< as the list has them
  std::vector<std::string> paths;  ///< where they are; rank i's is the i-th, or one holds all ranks' lines
  [[nodiscard]] bool is_shared() const { return paths.size() == 1; }
};

/// `path` is a list, or a folder with one that is called trace.txt. Files are looked for in the list's folder, then in
/// the current one, as smpirun does. @throws InputError naming the list and the line of a file that is missing.
MpiTraceFiles find_mpi_trace_files(const std::string& path);

/// By what a file is known again without reading it.
struct FileStamp {
  std::int64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< since 1970
  bool operator==(const FileStamp&) const = default;
};

/// @throws InputError naming the file where it is missing.
FileStamp file_stamp(const std::string& path);

/// XXH3 of the file's bytes as they are stored, in hexadecimal. @throws InputError where it cannot be read.
std::string file_hash(const std::string& path);

}  // namespace nowsim
