// Reading a file that a user has named: as a whole, never for ever, and with a sentence where that cannot be.
#pragma once

#include <cstdint>
#include <string>

namespace nowsim {

/// What read_user_file() says behind the name of a file that is missing.
inline constexpr const char* kNoSuchFile = "there is no such file.";

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
  std::string raised_by = "unpack it first (gunzip)";  ///< what a user does about it, in a sentence
};

/// The bytes of a file; of one that gzip has compressed, those before. Nothing is waited for but a pipe that a shell
/// has made, as in `<(program)`. @throws InputError naming the file where it is missing, a folder, a device, a socket
/// or a named pipe, cannot be read or unpacked, or holds more than `most_bytes` or, compressed, than `unpacked`.
std::string read_user_file(const std::string& path, std::uint64_t most_bytes, const MostUnpacked& unpacked = {});

}  // namespace nowsim
