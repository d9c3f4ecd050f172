// Opening without waiting, looking at what was opened, unpacking by zlib and libzstd piece by piece.
#include "sim/base/user_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/vfs.h>
#include <unistd.h>
#ifdef NOWSIM_UNPACKS
#include <zlib.h>
#include <zstd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

constexpr long kPipes = 0x50495045;  // PIPEFS_MAGIC: <linux/magic.h> is not everywhere
constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;

/// What packed bytes are taken from.
struct PackedBytes {
  Packing packing;
  std::string file;
  std::function<std::string_view()> next;

  [[nodiscard]] bool is_gzip() const { return packing == Packing::gzip; }
  [[nodiscard]] std::string unpacker() const { return is_gzip() ? "gunzip" : "unzstd"; }
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw InputError({file, 0, ""},
                     std::string("this file is compressed by ") + (is_gzip() ? "gzip" : "zstd") + ", and " + sentence);
  }
  [[noreturn]] void refuse_end() const { refuse("it breaks off before its end."); }
};

#ifdef NOWSIM_UNPACKS
class GzipStream final : public ByteStream {
 public:
  explicit GzipStream(PackedBytes packed) : packed_(std::move(packed)) {
    constexpr int kGzipAlone = 16;  // zlib.h: added to the window's bits
    if (inflateInit2(&stream_, MAX_WBITS + kGzipAlone) != Z_OK) refuse_memory();
  }
  ~GzipStream() override { inflateEnd(&stream_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size && !is_done_) {
      feed();
      if (stream_.avail_in == 0) packed_.refuse_end();
      const int said = inflate(&stream_, Z_NO_FLUSH);
      if (said == Z_STREAM_END)
        next_member();
      else if (said == Z_MEM_ERROR)
        refuse_memory();
      else if (said != Z_OK)
        refuse_damaged();
    }
    return size - stream_.avail_out;
  }

 private:
  [[noreturn]] void refuse_memory() const { packed_.refuse("zlib has no memory for it."); }
  [[noreturn]] void refuse_damaged() const { packed_.refuse("it is damaged: it cannot be unpacked."); }
  void feed() {
    if (stream_.avail_in > 0) return;
    const std::string_view block = packed_.next();
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

  PackedBytes packed_;
  z_stream stream_{};
  bool is_done_ = false;
};

class ZstdStream final : public ByteStream {
 public:
  explicit ZstdStream(PackedBytes packed)
      : packed_(std::move(packed)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (stream_ == nullptr) packed_.refuse("libzstd has no memory for it.");
  }
  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      const bool was_filled = std::exchange(is_filled_, false);
      if (in_.pos == in_.size && !was_filled) {
        const std::string_view block = packed_.next();
        if (block.empty() && is_between_frames_) return 0;
        if (block.empty()) packed_.refuse_end();
        in_ = {block.data(), block.size(), 0};
      }
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(left) != 0)
        packed_.refuse(std::string("it cannot be unpacked: ") + ZSTD_getErrorName(left) + ".");
      is_between_frames_ = left == 0;
      is_filled_ = out.pos == size && !is_between_frames_;
    }
    return out.pos;
  }

 private:
  PackedBytes packed_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool is_between_frames_ = true;
  bool is_filled_ = false;  ///< what came out filled its place: more may be inside, though all is read
};
#endif

/// All that comes out; `refuse_more` ends it where that is more than so many bytes.
template <class Refuse>
std::string drained(ByteStream& stream, std::uint64_t most_bytes, const Refuse& refuse_more) {
  std::string bytes;
  for (std::size_t done = 0, n = 1; n > 0; done += n) {
    bytes.resize(done + kBlockBytes);
    n = stream.read(bytes.data() + done, kBlockBytes);
    bytes.resize(done + n);
    if (bytes.size() > most_bytes) refuse_more();
  }
  return bytes;
}

}  // namespace

Packing packing_of(std::string_view beginning) {
  if (beginning.starts_with("\x1F\x8B")) return Packing::gzip;
  return beginning.starts_with("\x28\xB5\x2F\xFD") ? Packing::zstd : Packing::none;
}

std::unique_ptr<ByteStream> unpacking(Packing packing, const std::string& file,
                                      std::function<std::string_view()> next) {
  PackedBytes packed{packing, file, std::move(next)};
#ifdef NOWSIM_UNPACKS
  if (packed.is_gzip()) return std::make_unique<GzipStream>(std::move(packed));
  return std::make_unique<ZstdStream>(std::move(packed));
#else
  packed.refuse("nowsim does not unpack here: give it unpacked (" + packed.unpacker() + ").");
#endif
}

std::string unpack_all(const std::string& bytes, const std::string& file, std::uint64_t most_bytes,
                       const std::string& remark) {
  constexpr std::size_t kMostGiven = std::size_t{1} << 30U;
  const Packing packing = packing_of(bytes);
  const auto stream = unpacking(packing, file, [left = std::string_view(bytes)]() mutable {
    const std::string_view block = left.substr(0, kMostGiven);
    left.remove_prefix(block.size());
    return block;
  });
  return drained(*stream, most_bytes, [&] {
    PackedBytes{packing, file, {}}.refuse("holds more than " + std::to_string(most_bytes >> 20U) + " MiB, " + remark +
                                          ".");
  });
}

UserFile::UserFile(const std::string& path, const std::string& if_not_regular) : path_(path) {
  if (path.empty()) throw InputError("a file is needed, and its name is empty.");
  if (path.find('\0') != std::string::npos) throw InputError("a file's name cannot hold the byte 0.");
  if (stat(path.c_str(), &status_) != 0) fail_to_open();
  check_kind(status_.st_mode, if_not_regular);  // to open some devices is to act on them
  file_ = FileHandle(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file_.is_open() || fstat(file_.get(), &status_) != 0) fail_to_open();
  check_kind(status_.st_mode, if_not_regular);
  // A named pipe may have nobody at its other end; one without a name was made by a shell with a program at it.
  struct statfs system {};
  if (S_ISFIFO(status_.st_mode) && (fstatfs(file_.get(), &system) != 0 || system.f_type != kPipes))
    refuse("this is a named pipe; a text file is needed.");
}

std::size_t UserFile::read(char* to, std::size_t size) {
  for (;;) {
    const ssize_t n = ::read(file_.get(), to, size);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno == EAGAIN && S_ISFIFO(status_.st_mode)) {
      pollfd pipe{file_.get(), POLLIN, 0};
      (void)poll(&pipe, 1, -1);
    } else if (errno != EINTR) {
      fail_to_open();
    }
  }
}

std::string UserFile::beginning() const {
  std::string bytes(4, '\0');
  const ssize_t n = pread(file_.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return bytes;
}

void UserFile::refuse(const std::string& sentence) const { throw InputError({path_, 0, ""}, sentence); }

void UserFile::fail_to_open() const {
  if (errno == ENOENT) refuse(kNoSuchFile);
  if (errno == EACCES) refuse("this file cannot be read; check its permissions.");
  refuse(std::string("this file cannot be read: ") + std::strerror(errno) + ".");
}

void UserFile::check_kind(mode_t mode, const std::string& if_not_regular) const {
  if (!if_not_regular.empty() && !S_ISREG(mode)) refuse(if_not_regular);
  if (S_ISDIR(mode)) refuse("this is a directory; a text file is needed.");
  if (S_ISCHR(mode) || S_ISBLK(mode)) refuse("this is a device; a text file is needed.");
  if (S_ISSOCK(mode)) refuse("this is a socket; a text file is needed.");
}

UnpackedFile open_user_file(const std::string& path, const std::string& if_not_regular) {
  auto file = std::make_unique<UserFile>(path, if_not_regular);
  const Packing packing = packing_of(file->beginning());
  if (packing == Packing::none) return {std::move(file), 0};
  const auto bytes = static_cast<std::uint64_t>(file->status().st_size);
  const auto next = [stored = std::shared_ptr<UserFile>(std::move(file)),
                     block = std::vector<char>(kBlockBytes)]() mutable -> std::string_view {
    return {block.data(), stored->read(block.data(), block.size())};
  };
  return {unpacking(packing, path, next), bytes};
}

/// Sizes are believed where they are too much alone: those of /proc are 0, those of pipes not known.
std::string read_user_file(const std::string& path, std::uint64_t most_bytes, const MostUnpacked& unpacked) {
  UserFile file(path);
  const auto refuse_size = [&] {
    file.refuse("this file holds more than " + std::to_string(most_bytes >> 20U) +
                " MiB, which is the most that is read of a file of its kind.");
  };
  if (S_ISREG(file.status().st_mode) && static_cast<std::uint64_t>(file.status().st_size) > most_bytes) refuse_size();
  std::string bytes = drained(file, most_bytes, refuse_size);
  const Packing packing = packing_of(bytes);
  if (packing == Packing::none) return bytes;
  constexpr std::uint64_t kAlways = std::uint64_t{16} << 20U, kTimesItsSize = 32;
  const std::uint64_t most = unpacked.bytes > 0 ? unpacked.bytes : std::max(kAlways, kTimesItsSize * bytes.size());
  if (most >= most_bytes) return unpack_all(bytes, path, most_bytes);
  const std::string raised_by = !unpacked.raised_by.empty()
                                    ? unpacked.raised_by
                                    : "unpack it first (" + PackedBytes{packing, {}, {}}.unpacker() + ")";
  return unpack_all(bytes, path, most, "which is too much for its size: where it is meant, " + raised_by);
}

}  // namespace nowsim
