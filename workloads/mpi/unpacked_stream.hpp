// A file's bytes one block after another, unpacked where gzip or zstd has packed it, whatever it is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace nowsim {

/// Bytes in the order of the file.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Up to `size` bytes; 0 at the end alone. @throws InputError naming the file where it cannot be read or unpacked.
  virtual std::size_t read(char* to, std::size_t size) = 0;
};

/// The file as it is. @throws InputError naming the file where it is missing, no regular file, or cannot be read.
std::unique_ptr<ByteStream> open_stream(const std::string& path);

/// What packed files of one trace may come to together, so that a few kilobytes by mail do not fill a disk.
class UnpackedBound {
 public:
  /// Of what the files have packed, so many times as much is let out; 16 MiB in any case. Recorded traces pack to a
  /// twentieth, and regular ones, whose lines are alike, to a few hundredths.
  static constexpr std::uint64_t kTimes = 1000, kAlways = std::uint64_t{16} << 20U;
  /// @param most bytes in place of that; 0: that.
  explicit UnpackedBound(std::uint64_t most) : most_(most) {}
  /// One more file has so many bytes packed.
  void add_packed(std::uint64_t bytes) { packed_ += bytes; }
  /// @throws InputError naming the file where that is too much, and what lets more out.
  void take(std::uint64_t unpacked, const std::string& path);

 private:
  std::uint64_t most_, packed_ = 0, unpacked_ = 0;
};

/// What was packed into the file, told by its first bytes; a file that is not packed as it is. Memory is bounded by
/// what zlib and zstd need (128 MiB and a little), however much comes out. `bound` outlives it.
/// @throws InputError also where this build of nowsim cannot unpack what it is, or where more comes out than may.
std::unique_ptr<ByteStream> open_unpacked(const std::string& path, UnpackedBound& bound);

}  // namespace nowsim
