// By Gunzip and libzstd's streams.
#include "workloads/mpi/unpacked_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef NOWSIM_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/gzip.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/file_handle.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;

class StoredBytes final : public ByteStream {
 public:
  explicit StoredBytes(const std::string& path)
      : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (!file_.is_open() && errno == ENOENT) refuse(kNoSuchFile);
    struct stat status {};
    if (!file_.is_open() || fstat(file_.get(), &status) != 0) refuse_reading();
    if (!S_ISREG(status.st_mode)) refuse("a trace is read more than once: this has to be a regular file.");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  std::size_t read(char* to, std::size_t size) override {
    for (;;) {
      const ssize_t n = ::read(file_.get(), to, size);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) refuse_reading();
    }
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The first bytes, without reading on.
  [[nodiscard]] std::string beginning() const {
    std::string bytes(4, '\0');
    const ssize_t n = pread(file_.get(), bytes.data(), bytes.size(), 0);
    bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return bytes;
  }
  [[noreturn]] void refuse(const std::string& sentence) const { throw InputError({path_, 0, ""}, sentence); }

 private:
  [[noreturn]] void refuse_reading() const {
    refuse(std::string("this file cannot be read: ") + std::strerror(errno) + ".");
  }
  std::string path_;
  FileHandle file_;
  std::uint64_t size_ = 0;
};

/// What packed bytes are taken from.
class PackedBlocks {
 public:
  explicit PackedBlocks(std::unique_ptr<StoredBytes> file) : file_(std::move(file)) {}
  /// The next block; empty at the end.
  std::string_view next() { return {block_.data(), file_->read(block_.data(), block_.size())}; }
  [[noreturn]] void refuse_zstd(const std::string& sentence) const {
    file_->refuse("this file is compressed by zstd, and " + sentence);
  }

 private:
  std::unique_ptr<StoredBytes> file_;
  std::vector<char> block_ = std::vector<char>(kBlockBytes);
};

class GzipStream final : public ByteStream {
 public:
  GzipStream(std::unique_ptr<StoredBytes> file, const std::string& path)
      : packed_(std::move(file)), unpacked_(path, [this] { return packed_.next(); }) {}
  std::size_t read(char* to, std::size_t size) override { return unpacked_.read(to, size); }

 private:
  PackedBlocks packed_;
  Gunzip unpacked_;
};

#ifdef NOWSIM_ZSTD
class ZstdStream final : public ByteStream {
 public:
  explicit ZstdStream(PackedBlocks packed)
      : packed_(std::move(packed)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (stream_ == nullptr) packed_.refuse_zstd("libzstd has no memory for it.");
  }
  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      const bool was_filled = std::exchange(is_filled_, false);
      if (in_.pos == in_.size && !was_filled) {
        const std::string_view block = packed_.next();
        if (block.empty() && is_between_frames_) return 0;
        if (block.empty()) packed_.refuse_zstd("it breaks off before its end.");
        in_ = {block.data(), block.size(), 0};
      }
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(left) != 0)
        packed_.refuse_zstd(std::string("it cannot be unpacked: ") + ZSTD_getErrorName(left) + ".");
      is_between_frames_ = left == 0;
      is_filled_ = out.pos == size && !is_between_frames_;
    }
    return out.pos;
  }

 private:
  PackedBlocks packed_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool is_between_frames_ = true;
  bool is_filled_ = false;  ///< what came out filled its place: more may be inside, though all is read
};
#endif

/// What comes out of a packed file, as long as it may.
class BoundedStream final : public ByteStream {
 public:
  BoundedStream(std::unique_ptr<ByteStream> unpacked, std::string path, UnpackedBound& bound)
      : unpacked_(std::move(unpacked)), path_(std::move(path)), bound_(bound) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t n = unpacked_->read(to, size);
    bound_.take(n, path_);
    return n;
  }

 private:
  std::unique_ptr<ByteStream> unpacked_;
  std::string path_;
  UnpackedBound& bound_;
};

bool is_zstd(std::string_view bytes) { return bytes.starts_with("\x28\xB5\x2F\xFD"); }  // RFC 8878, 3.1.1

}  // namespace

std::unique_ptr<ByteStream> open_stream(const std::string& path) { return std::make_unique<StoredBytes>(path); }

void UnpackedBound::take(std::uint64_t unpacked, const std::string& path) {
  unpacked_ += unpacked;
  const std::uint64_t most = most_ > 0 ? most_ : std::max(kAlways, kTimes * packed_);
  if (unpacked_ <= most) return;
  const std::string rule = most_ > 0 ? "" : ": 16 MiB, or 1000 times what is packed if that is more";
  throw InputError({path, 0, ""}, "the packed files of this trace, " + std::to_string(packed_) +
                                      " bytes up to this one, come to more than " + std::to_string(most) +
                                      " bytes, which is as much as may be unpacked" + rule +
                                      ". If so much is meant, say how much: job.unpacked, or --unpacked of a plan.");
}

std::unique_ptr<ByteStream> open_unpacked(const std::string& path, UnpackedBound& bound) {
  auto file = std::make_unique<StoredBytes>(path);
  const std::string beginning = file->beginning();
  const bool is_packed = is_gzip(beginning) || is_zstd(beginning);
  if (is_packed) bound.add_packed(file->size());
  const auto bounded = [&](std::unique_ptr<ByteStream> stream) {
    return std::make_unique<BoundedStream>(std::move(stream), path, bound);
  };
  if (is_gzip(beginning)) return bounded(std::make_unique<GzipStream>(std::move(file), path));
  if (is_zstd(beginning)) {
    PackedBlocks packed(std::move(file));
#ifdef NOWSIM_ZSTD
    return bounded(std::make_unique<ZstdStream>(std::move(packed)));
#else
    packed.refuse_zstd("this nowsim was built without libzstd: give it unpacked (unzstd).");
#endif
  }
  return file;
}

}  // namespace nowsim
