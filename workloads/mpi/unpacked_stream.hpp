// A file's bytes one block after another, unpacked where gzip or zstd has packed it, whatever it is called.
#pragma once

#include <cstddef>
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
/// What was packed into the file, told by its first bytes; a file that is not packed as it is. Memory is bounded by
/// what zlib and zstd need (128 MiB and a little), however much comes out.
/// @throws InputError also where this build of nowsim cannot unpack what it is.
std::unique_ptr<ByteStream> open_unpacked(const std::string& path);

}  // namespace nowsim
