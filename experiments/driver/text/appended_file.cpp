// Opening, locking, and writing a line at a time.
#include "experiments/driver/text/appended_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

/// Whether the file can be continued under this header; an empty one can.
void check_continues(const std::string& path, const std::string& header) {
  const std::string text = read_user_file(path, kMostDataBytes);
  if (text.empty()) return;
  if (!text.starts_with(header + "\n"))
    throw InputError({path, 1, ""}, "this file does not begin with the line '" + header +
                                        "', so it cannot be continued; give another name.");
  if (!text.ends_with('\n'))
    throw InputError({path, 0, ""}, "the last line is not complete; remove it, then the file can be continued.");
}

/// Whether the path still leads to the opened file, which another process may have renamed before it could be locked.
bool is_at(const std::string& path, int fd) {
  struct stat there {}, opened {};
  return stat(path.c_str(), &there) == 0 && fstat(fd, &opened) == 0 && there.st_dev == opened.st_dev &&
         there.st_ino == opened.st_ino;
}

/// A new file outlasts a crash once its folder's entry is on the disk; some file systems cannot say that.
void sync_folder_of(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const FileHandle opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) (void)fsync(opened.get());
}

/// Renames the file, if no process writes it; returns its new name.
std::string keep(const std::string& path) {
  std::error_code error;
  LockedFile old;
  if (fs::exists(path, error)) old = LockedFile(path, O_RDONLY);  // a link that leads nowhere is renamed as it is
  const std::string kept = backup_file(path, error).string();
  if (error) cannot_write(path, "what is there cannot be kept as " + kept + ": " + error.message());
  return kept;
}

}  // namespace

LockedFile::LockedFile(const std::string& path, int flags) {
  constexpr mode_t kMode = 0666;  // less what the user's umask takes
  file_ = FileHandle(open(path.c_str(), flags | O_CLOEXEC, kMode));
  if (!file_.is_open()) cannot_write(path, std::strerror(errno));
  const bool is_locked = flock(fd(), LOCK_EX | LOCK_NB) == 0;
  if (!is_locked && errno != EWOULDBLOCK) cannot_write(path, std::strerror(errno));
  if (!is_locked || !is_at(path, fd())) throw InputError({path, 0, ""}, "another process is writing this file.");
}

AppendedFile::AppendedFile(const std::string& path, const std::string& header, bool append) : path_(path) {
  check_output_file(path);
  std::error_code error;
  if (!append && fs::exists(fs::symlink_status(path, error))) kept_ = keep(path);
  file_ = LockedFile(path, O_WRONLY | O_APPEND | O_CREAT | (append ? 0 : O_EXCL));
  if (append) check_continues(path, header);
  if (fs::file_size(path, error) > 0) return;
  add_line(header);
  sync_folder_of(path);
}

void AppendedFile::write_all(const std::string& text) {
  const off_t whole = lseek(file_.fd(), 0, SEEK_END);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(file_.fd(), text.data() + done, text.size() - done);
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      const std::string why = std::strerror(errno);
      const bool is_torn = done > 0 && ftruncate(file_.fd(), whole) != 0;
      cannot_write(path_, why + (is_torn ? "; its last line is not complete" : ""));
    }
  }
}

void AppendedFile::add_line(const std::string& line) {
  write_all(line + "\n");
  while (fdatasync(file_.fd()) != 0)
    if (errno != EINTR) cannot_write(path_, std::strerror(errno));
}

}  // namespace nowsim
