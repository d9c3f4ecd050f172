// The lines of a file of any length, plain or packed, in little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/user_file.hpp"

namespace nowsim {

/// An alltoallv of a million ranks has a quarter of it.
inline constexpr std::size_t kMostMpiLineBytes = std::size_t{64} << 20U;
/// @throws InputError that a line of this file has more.
[[noreturn]] void refuse_long_mpi_line(const std::string& path);

/// What is said of a file of a trace that is a pipe, a folder or the like.
inline constexpr const char* kTraceIsRegular = "a trace is read more than once: this has to be a regular file.";

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

/// One line after another.
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
