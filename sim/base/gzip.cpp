// Unpacking by zlib, piece by piece, so that a small file cannot fill the memory.
#include "sim/base/gzip.hpp"

#ifdef NOWSIM_ZLIB
#include <zlib.h>
#endif

#include <algorithm>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

[[noreturn]] void refuse_gzip(const std::string& file, const std::string& sentence) {
  throw InputError({file, 0, ""}, "this file is compressed by gzip, and " + sentence);
}

#ifdef NOWSIM_ZLIB
class Unpacking {
 public:
  Unpacking(const std::string& bytes, const std::string& file) : file_(file) {
    constexpr int kGzipAlone = 16;  // zlib.h: added to the window's bits
    if (inflateInit2(&stream_, MAX_WBITS + kGzipAlone) != Z_OK) refuse_gzip(file_, "zlib has no memory for it.");
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));  // zlib does not write there
    left_ = bytes.size();
  }
  ~Unpacking() { inflateEnd(&stream_); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  std::string all(std::uint64_t most_bytes) {
    std::string out;
    while (!is_done_) {
      more(out);
      if (out.size() > most_bytes)
        refuse_gzip(file_, "holds more than " + std::to_string(most_bytes >> 20U) +
                               " MiB, which is the most that is read of a file of its kind.");
    }
    return out;
  }

 private:
  void more(std::string& out) {
    constexpr uInt kAtOnce = 1U << 18U;
    const std::size_t before = out.size();
    out.resize(before + kAtOnce);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream_.avail_out = kAtOnce;
    feed();
    const int said = inflate(&stream_, Z_NO_FLUSH);
    out.resize(out.size() - stream_.avail_out);
    if (said == Z_STREAM_END) return next_member();
    if (said == Z_MEM_ERROR) refuse_gzip(file_, "zlib has no memory for it.");
    if (said != Z_OK && said != Z_BUF_ERROR) refuse_gzip(file_, "it is damaged: it cannot be unpacked.");
    if (stream_.avail_in == 0 && left_ == 0 && stream_.avail_out > 0) refuse_gzip(file_, "it breaks off before its end.");
  }
  /// zlib counts what it is given in 32 bits.
  void feed() {
    constexpr std::size_t kMost = 1U << 30U;
    if (stream_.avail_in > 0) return;
    stream_.avail_in = static_cast<uInt>(std::min(left_, kMost));
    left_ -= stream_.avail_in;
  }
  /// Zeros behind the last one are none: tapes and blocks of disks are filled up by them.
  void next_member() {
    feed();
    const Bytef* end = stream_.next_in + stream_.avail_in + left_;
    is_done_ = std::all_of<const Bytef*>(stream_.next_in, end, [](Bytef byte) { return byte == 0; });
    if (!is_done_ && inflateReset(&stream_) != Z_OK) refuse_gzip(file_, "it is damaged: it cannot be unpacked.");
  }

  const std::string& file_;
  z_stream stream_{};
  std::size_t left_ = 0;
  bool is_done_ = false;
};
#endif

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

std::string gunzipped(const std::string& bytes, const std::string& file, [[maybe_unused]] std::uint64_t most_bytes) {
#ifdef NOWSIM_ZLIB
  return Unpacking(bytes, file).all(most_bytes);
#else
  static_cast<void>(bytes);
  refuse_gzip(file, "nowsim does not unpack here: give it unpacked (gunzip).");
#endif
}

}  // namespace nowsim
