// Files that people bring, as streams of bytes: never waited for, unpacked where gzip or zstd has packed them, up to a
// bound, and refused with a sentence where that cannot be.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/plain_file.hpp"

namespace nowsim {

/// Bytes in their order.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Up to `size` bytes; 0 at the end alone. @throws InputError naming the file where it cannot be read or unpacked.
  virtual std::size_t read(char* to, std::size_t size) = 0;
};

enum class Packing { none, gzip, zstd };
/// Told by a file's first bytes, whatever it is called: text never begins as gzip's (RFC 1952, 2.3.1) and zstd's
/// (RFC 8878, 3.1.1).
Packing packing_of(std::string_view beginning);

/// What members (or frames) in a row were before, one part after another. Memory is bounded by what zlib and zstd need
/// (128 MiB and a little), however much comes out.
/// @param next the packed bytes' next block, of at most 1 GiB, which stays as it is until the one after it is asked
/// for; empty at the end.
/// @throws InputError naming the file where this build of nowsim cannot unpack (in a browser), and in reading where it
/// is damaged or breaks off.
std::unique_ptr<ByteStream> unpacking(Packing packing, const std::string& file, std::function<std::string_view()> next);
/// All of it at once. @throws InputError also where it comes to more than `most_bytes`, about which `remark` ends the
/// sentence.
std::string unpack_all(const std::string& bytes, const std::string& file, std::uint64_t most_bytes,
                       const std::string& remark = "which is the most that is read of a file of its kind");

/// What is said behind the name of a file that is missing.
inline constexpr const char* kNoSuchFile = "there is no such file.";

/// A file that a user has named, as it is stored. Nothing is waited for but a pipe that a shell has made, as in
/// `<(program)`.
class UserFile final : public ByteStream {
 public:
  /// @param if_not_regular what is said of any other kind of file; "": pipes of shells are read, and each has its own.
  /// @throws InputError naming the file where it is missing, a folder, a device, a socket or a named pipe, or cannot be
  /// read.
  explicit UserFile(const std::string& path, const std::string& if_not_regular = "");
  std::size_t read(char* to, std::size_t size) override;
  [[nodiscard]] const struct stat& status() const { return status_; }
  /// The first bytes of a regular file, without reading on.
  [[nodiscard]] std::string beginning() const;
  [[noreturn]] void refuse(const std::string& sentence) const;

 private:
  [[noreturn]] void fail_to_open() const;
  void check_kind(mode_t mode, const std::string& if_not_regular) const;

  std::string path_;
  FileHandle file_;
  struct stat status_ {};
};

/// The bytes of a regular file, or of one that is packed, those before.
struct UnpackedFile {
  std::unique_ptr<ByteStream> bytes;
  std::uint64_t packed_bytes;  ///< that it takes; 0: it is not packed
};
/// @throws InputError as UserFile and unpacking().
UnpackedFile open_user_file(const std::string& path, const std::string& if_not_regular);

/// What a file of a kind may hold at most [bytes]: far above any that was made on purpose, and below what would fill a
/// workstation's memory. A description's tree takes sixty bytes of memory for each byte of YAML.
inline constexpr std::uint64_t kMostDescriptionBytes = std::uint64_t{8} << 20U;
/// Of a platform: a hundred thousand machines with a line each take 10 MB.
inline constexpr std::uint64_t kMostPlatformBytes = std::uint64_t{64} << 20U;
/// Of measurements, profiles and results: a year of seconds at 30 bytes a line.
inline constexpr std::uint64_t kMostDataBytes = std::uint64_t{1} << 30U;

/// What a compressed file may come to, so that a small one does not fill the memory.
struct MostUnpacked {
  /// [bytes]; 0: 16 MiB, or 32 times the file's own size where that is more: monitors' data come to 5 to 20 times it.
  std::uint64_t bytes = 0;
  std::string raised_by = "";  ///< what a user does about it, in a sentence; "": unpacks it first
};

/// The bytes of a file; of one that is packed, those before. @throws InputError as UserFile and unpacking(), and where
/// it holds more than `most_bytes` or, compressed, than `unpacked`.
std::string read_user_file(const std::string& path, std::uint64_t most_bytes, const MostUnpacked& unpacked = {});

}  // namespace nowsim
