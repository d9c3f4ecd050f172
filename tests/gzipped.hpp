// What gzip and zstd make of a text, for tests that read it.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <string>

namespace nowsim::test {

inline std::string gzipped(std::string text) {
  constexpr int kGzipAlone = 16, kMemoryLevel = 8;
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipAlone, kMemoryLevel, Z_DEFAULT_STRATEGY);
  std::string bytes(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

inline std::string little_endian(std::size_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

/// How a frame of zstd (RFC 8878) of so many bytes begins.
inline std::string zstd_frame(std::size_t bytes) {
  constexpr char kSingleSegmentWithSizeOf4 = '\xA0';
  return "\x28\xB5\x2F\xFD" + std::string(1, kSingleSegmentWithSizeOf4) + little_endian(bytes, 4);
}

/// A short text as it is.
inline std::string zstd_stored(const std::string& text) {
  return zstd_frame(text.size()) + little_endian((text.size() << 3U) | 1U, 3) + text;
}

/// So many blocks of 128 KiB of line feeds, four bytes each.
inline std::string zstd_blank_lines(std::size_t blocks) {
  constexpr std::size_t kBlockBytes = std::size_t{1} << 17U, kRepeated = 2, kLast = 1;
  std::string out = zstd_frame(blocks * kBlockBytes);
  for (std::size_t i = 0; i < blocks; ++i)
    out += little_endian((kBlockBytes << 3U) | kRepeated | (i + 1 == blocks ? kLast : 0), 3) + "\n";
  return out;
}

}  // namespace nowsim::test
