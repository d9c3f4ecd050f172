// Which files a recorded program's trace consists of, by what a user names, what names their contents, and their lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/user_file.hpp"

namespace nowsim {

/// The list that SMPI writes, one file a line, and the files.
struct MpiTraceFiles {
  std::string list;                ///< path of the list
  std::vector<std::string> paths;  ///< where they are; rank i's is the i-th, or one holds all ranks' lines
  /// Bytes that packed ones may come to together; 0: by their packed size (UnpackedBound).
  std::uint64_t most_unpacked = 0;
  [[nodiscard]] bool is_shared() const { return paths.size() == 1; }
  [[nodiscard]] const std::string& of_rank(std::size_t rank) const { return paths[is_shared() ? 0 : rank]; }
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

/// What packed files of one trace may come to together, so that a few kilobytes by mail do not fill a disk.
class UnpackedBound {
 public:
  /// @param most bytes; 0: 1000 times as much as the files have packed, 16 MiB in any case. Recorded traces pack to a
  /// twentieth, and regular ones, whose lines are alike, to a few hundredths.
  explicit UnpackedBound(std::uint64_t most) : most_(most) {}
  /// One more file has so many bytes packed.
  void add_packed(std::uint64_t bytes) { packed_ += bytes; }
  /// @throws InputError naming the file where that is too much, and what lets more out.
  void take(std::uint64_t unpacked, const std::string& path);

 private:
  std::uint64_t most_, packed_ = 0, unpacked_ = 0;
};

/// The lines of a file of any length, plain or packed, one after another in little memory.
class MpiTextLines {
 public:
  /// `bound` outlives it. @throws InputError naming the file where it cannot be opened.
  MpiTextLines(const std::string& path, UnpackedBound& bound);
  /// The next line without its line feed, valid until the next call; false at the end. @throws InputError naming the
  /// file where it cannot be read or unpacked, or comes to too much, or a line has more than 64 MiB.
  bool next(std::string_view& line);
  /// Of the line that next() gave, 1-based.
  [[nodiscard]] std::uint32_t number() const { return number_; }

 private:
  bool read_on();
  std::string path_;
  UnpackedFile file_;
  UnpackedBound& bound_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is in buffer_ and no line yet
  std::uint32_t number_ = 0;
};

}  // namespace nowsim
