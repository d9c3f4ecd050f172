// The lines of a file of any length, plain or packed, in little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/mpi/unpacked_stream.hpp"

namespace nowsim {

/// An alltoallv of a million ranks has a quarter of it.
inline constexpr std::size_t kMostMpiLineBytes = std::size_t{64} << 20U;
/// @throws InputError that a line of this file has more.
[[noreturn]] void refuse_long_mpi_line(const std::string& path);

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
  std::unique_ptr<ByteStream> bytes_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is in buffer_ and no line yet
  std::uint32_t number_ = 0;
};

}  // namespace nowsim
