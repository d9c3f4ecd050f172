// Opening without waiting, looking at what was opened, and reading up to the bound.
#include "sim/base/user_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/base/error.hpp"
#include "sim/base/gzip.hpp"

namespace nowsim {
namespace {

constexpr long kPipes = 0x50495045;  // PIPEFS_MAGIC: <linux/magic.h> is not everywhere

class UserFile {
 public:
  explicit UserFile(const std::string& path) : path_(path) {
    if (path.empty()) throw InputError("a file is needed, and its name is empty.");
    if (path.find('\0') != std::string::npos) throw InputError("a file's name cannot hold the byte 0.");
    struct stat named {};
    if (stat(path.c_str(), &named) != 0) fail_to_open();
    check_kind(named.st_mode);  // to open some devices is to act on them
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd_ < 0) fail_to_open();
    check_opened();
  }
  ~UserFile() {
    if (fd_ >= 0) close(fd_);
  }
  UserFile(const UserFile&) = delete;
  UserFile& operator=(const UserFile&) = delete;

  /// Sizes are believed where they are too much alone: those of /proc are 0, those of pipes not known.
  std::string read_all(std::uint64_t most_bytes) {
    if (size_ > most_bytes) refuse_size(most_bytes);
    std::string bytes;
    constexpr std::size_t kAtOnce = 1U << 18U;
    for (std::size_t done = 0;;) {
      bytes.resize(done + kAtOnce);
      const std::size_t n = read_some(bytes.data() + done, kAtOnce);
      done += n;
      if (done > most_bytes) refuse_size(most_bytes);
      if (n > 0) continue;
      bytes.resize(done);
      return bytes;
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const { throw InputError({path_, 0, ""}, sentence); }

  [[noreturn]] void refuse_size(std::uint64_t most_bytes) const {
    refuse("this file holds more than " + std::to_string(most_bytes >> 20U) +
           " MiB, which is the most that is read of a file of its kind.");
  }

  [[noreturn]] void fail_to_open() const {
    if (errno == ENOENT) refuse(kNoSuchFile);
    if (errno == EACCES) refuse("this file cannot be read; check its permissions.");
    refuse(std::string("this file cannot be read: ") + std::strerror(errno) + ".");
  }

  void check_kind(mode_t mode) const {
    if (S_ISDIR(mode)) refuse("this is a directory; a text file is needed.");
    if (S_ISCHR(mode) || S_ISBLK(mode)) refuse("this is a device; a text file is needed.");
    if (S_ISSOCK(mode)) refuse("this is a socket; a text file is needed.");
  }

  /// A named pipe may have nobody at its other end; one without a name was made by a shell with a program at it.
  void check_opened() {
    struct stat opened {};
    if (fstat(fd_, &opened) != 0) fail_to_open();
    check_kind(opened.st_mode);
    struct statfs system {};
    if (S_ISREG(opened.st_mode)) size_ = static_cast<std::uint64_t>(opened.st_size);
    is_pipe_ = S_ISFIFO(opened.st_mode);
    if (is_pipe_ && (fstatfs(fd_, &system) != 0 || system.f_type != kPipes))
      refuse("this is a named pipe; a text file is needed.");
  }

  std::size_t read_some(char* to, std::size_t size) const {
    for (;;) {
      const ssize_t n = read(fd_, to, size);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno == EAGAIN && is_pipe_) {
        pollfd pipe{fd_, POLLIN, 0};
        (void)poll(&pipe, 1, -1);
      } else if (errno != EINTR) {
        fail_to_open();
      }
    }
  }

  std::string path_;
  int fd_ = -1;
  bool is_pipe_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace

std::string read_user_file(const std::string& path, std::uint64_t most_bytes, const MostUnpacked& unpacked) {
  std::string bytes = UserFile(path).read_all(most_bytes);
  if (!is_gzip(bytes)) return bytes;
  constexpr std::uint64_t kAlways = std::uint64_t{16} << 20U, kTimesItsSize = 32;
  const std::uint64_t most = unpacked.bytes > 0 ? unpacked.bytes : std::max(kAlways, kTimesItsSize * bytes.size());
  if (most >= most_bytes) return gunzipped(bytes, path, most_bytes);
  return gunzipped(bytes, path, most, "which is too much for its size: where it is meant, " + unpacked.raised_by);
}

}  // namespace nowsim
