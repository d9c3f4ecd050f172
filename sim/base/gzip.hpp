// Files that gzip has compressed: told by their first bytes, whatever they are called, and unpacked block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace nowsim {

/// Whether these bytes begin as gzip's do (RFC 1952, 2.3.1), and text never does.
bool is_gzip(std::string_view bytes);

/// What gzip's members in a row were before, one part after another; memory does not depend on how much it is.
class Gunzip {
 public:
  /// @param next the compressed bytes' next block, of at most 1 GiB, which stays as it is until the one after it is
  /// asked for; empty at the end.
  /// @throws InputError naming the file where this build of nowsim cannot unpack (in a browser).
  Gunzip(std::string file, std::function<std::string_view()> next);
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  /// Up to `size` bytes; 0 at the end alone. @throws InputError naming the file where it is damaged or breaks off.
  std::size_t read(char* to, std::size_t size);

 private:
  class Stream;
  std::unique_ptr<Stream> stream_;
};

/// All of it at once. @throws InputError as Gunzip, and where it comes to more than `most_bytes`, about which `remark`
/// ends the sentence.
std::string gunzipped(const std::string& bytes, const std::string& file, std::uint64_t most_bytes,
                      const std::string& remark = "which is the most that is read of a file of its kind");

}  // namespace nowsim
