// Opening, locking, and writing a line at a time.
#include "experiments/appended_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "experiments/output_file.hpp"
#include "experiments/set_aside.hpp"
#include "sim/error.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw RunError("cannot write " + path + ": " + why);
}

/// Whether the file can be continued under this header; an empty one can.
void check_continues(const std::string& path, const std::string& header) {
  const std::string text = read_text(path);
  if (text.empty()) return;
  if (!text.starts_with(header + "\n"))
    throw InputError({path, 1, ""}, "this file does not begin with the line '" + header +
                                        "', so it cannot be continued; give another name.");
  if (!text.ends_with('\n'))
    throw InputError({path, 0, ""}, "the last line is not complete; remove it, then the file can be continued.");
}

}  // namespace

AppendedFile::AppendedFile(const std::string& path, const std::string& header, bool append) : path_(path) {
  check_output_file(path);
  std::error_code error;
  const bool is_there = fs::exists(fs::symlink_status(path, error));
  if (is_there && append) check_continues(path, header);
  if (is_there && !append) {
    kept_ = set_aside(path, error).string();
    if (error) cannot_write(path, "what is there cannot be kept as " + kept_ + ": " + error.message());
  }
  open_file(O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | (append ? 0 : O_EXCL));
  if (fs::file_size(path, error) == 0) add_line(header);
}

AppendedFile::~AppendedFile() {
  if (fd_ >= 0) close(fd_);
}

void AppendedFile::open_file(int flags) {
  constexpr mode_t kMode = 0666;  // less what the user's umask takes
  fd_ = open(path_.c_str(), flags, kMode);
  if (fd_ < 0) cannot_write(path_, std::strerror(errno));
  if (flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  const int why = errno;
  close(fd_);
  if (why == EWOULDBLOCK) throw InputError({path_, 0, ""}, "another process is writing this file.");
  cannot_write(path_, std::strerror(why));
}

void AppendedFile::write_all(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(fd_, text.data() + done, text.size() - done);
    if (n >= 0)
      done += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      cannot_write(path_, std::strerror(errno));
  }
}

void AppendedFile::add_line(const std::string& line) {
  write_all(line + "\n");
  while (fdatasync(fd_) != 0)
    if (errno != EINTR) cannot_write(path_, std::strerror(errno));
}

}  // namespace nowsim
