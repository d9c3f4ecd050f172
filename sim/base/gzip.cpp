// Unpacking by zlib, piece by piece, so that a small file cannot fill the memory.
#include "sim/base/gzip.hpp"

#ifdef NOWSIM_ZLIB
#include <zlib.h>
#endif

#include <utility>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

[[noreturn]] void refuse_gzip(const std::string& file, const std::string& sentence) {
  throw InputError({file, 0, ""}, "this file is compressed by gzip, and " + sentence);
}

}  // namespace

#ifdef NOWSIM_ZLIB
class Gunzip::Stream {
 public:
  Stream(std::string file, std::function<std::string_view()> next) : file_(std::move(file)), next_(std::move(next)) {
    constexpr int kGzipAlone = 16;  // zlib.h: added to the window's bits
    if (inflateInit2(&stream_, MAX_WBITS + kGzipAlone) != Z_OK) refuse_gzip(file_, "zlib has no memory for it.");
  }
  ~Stream() { inflateEnd(&stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  std::size_t read(char* to, std::size_t size) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size && !is_done_) {
      feed();
      if (stream_.avail_in == 0) refuse_gzip(file_, "it breaks off before its end.");
      const int said = inflate(&stream_, Z_NO_FLUSH);
      if (said == Z_STREAM_END)
        next_member();
      else if (said == Z_MEM_ERROR)
        refuse_gzip(file_, "zlib has no memory for it.");
      else if (said != Z_OK)
        refuse_damaged();
    }
    return size - stream_.avail_out;
  }

 private:
  [[noreturn]] void refuse_damaged() const { refuse_gzip(file_, "it is damaged: it cannot be unpacked."); }
  void feed() {
    if (stream_.avail_in > 0) return;
    const std::string_view block = next_();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));  // zlib does not write there
    stream_.avail_in = static_cast<uInt>(block.size());
  }
  /// Zeros behind the last one are none: tapes and blocks of disks are filled up by them.
  void next_member() {
    bool is_filled_up = false;
    for (feed(); stream_.avail_in > 0 && *stream_.next_in == 0; feed()) {
      is_filled_up = true;
      ++stream_.next_in;
      --stream_.avail_in;
    }
    is_done_ = stream_.avail_in == 0;
    if (!is_done_ && (is_filled_up || inflateReset(&stream_) != Z_OK)) refuse_damaged();
  }

  std::string file_;
  std::function<std::string_view()> next_;
  z_stream stream_{};
  bool is_done_ = false;
};
#else
class Gunzip::Stream {
 public:
  Stream(const std::string& file, const std::function<std::string_view()>&) {
    refuse_gzip(file, "nowsim does not unpack here: give it unpacked (gunzip).");
  }
  std::size_t read(char*, std::size_t) { return 0; }
};
#endif

Gunzip::Gunzip(std::string file, std::function<std::string_view()> next)
    : stream_(std::make_unique<Stream>(std::move(file), std::move(next))) {}
Gunzip::~Gunzip() = default;
std::size_t Gunzip::read(char* to, std::size_t size) { return stream_->read(to, size); }

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

std::string gunzipped(const std::string& bytes, const std::string& file, std::uint64_t most_bytes,
                      const std::string& remark) {
  constexpr std::size_t kMostGiven = std::size_t{1} << 30U, kAtOnce = std::size_t{1} << 18U;
  std::string_view left = bytes;
  Gunzip stream(file, [&left] {
    const std::string_view block = left.substr(0, kMostGiven);
    left.remove_prefix(block.size());
    return block;
  });
  std::string out;
  for (std::size_t size = 0, n = 1; n > 0; size += n) {
    out.resize(size + kAtOnce);
    n = stream.read(out.data() + size, kAtOnce);
    out.resize(size + n);
    if (out.size() > most_bytes)
      refuse_gzip(file, "holds more than " + std::to_string(most_bytes >> 20U) + " MiB, " + remark + ".");
  }
  return out;
}

}  // namespace nowsim
