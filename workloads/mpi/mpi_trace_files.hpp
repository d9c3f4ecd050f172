// Which files a recorded program's trace consists of, by what a user names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nowsim {

/// The list that SMPI writes, one file a line, and the files.
struct MpiTraceFiles {
  std::string list;                ///< path of the list
  std::vector<std::string> paths;  ///< where they are; rank i's is the i-th, or one holds all ranks' lines
  /// Bytes that packed ones may come to together; 0: by their packed size (UnpackedBound).
  std::uint64_t most_unpacked = 0;
  [[nodiscard]] bool is_shared() const { return paths.size() == 1; }
};

/// `path` is a list, or a folder with one that is called trace.txt. Files are looked for in the list's folder, then in
/// the current one, as smpirun does. @throws InputError naming the list and the line of a file that is missing.
MpiTraceFiles find_mpi_trace_files(const std::string& path);

/// By what a trace's files are known again without reading them.
struct MpiTraceStamp {
  std::string text;  ///< each file's device, inode, size, and times of modification and change, a line each
  /// Any change from now on would show in the text: all files were last changed longer ago than a clock's tick, on
  /// whatever file system. (A time of modification is what someone says it is; of the last change, what the system
  /// does.)
  bool is_settled = false;
};
/// @throws InputError naming a file that is missing.
MpiTraceStamp stamp_of(const MpiTraceFiles& files);

/// Names what the files hold, as they are stored, in their order: 64 hexadecimal digits that nobody can make another
/// trace for. @throws InputError naming a file that cannot be read, or has too long a line.
std::string content_key(const MpiTraceFiles& files);

}  // namespace nowsim
