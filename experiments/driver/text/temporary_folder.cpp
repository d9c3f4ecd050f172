// Made by mkdtemp, which two processes at a time cannot get alike, and locked by flock, which ends with the process.
#include "experiments/driver/text/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kDrawn = "XXXXXX";

/// What begins the names of folders that are locked. Those of other machines are none of ours: where they lie is shared
/// perhaps, and locks may not be.
std::string locked_names() {
  std::string host = host_name();
  std::ranges::replace(host, '/', '_');
  return "nowsim-on-" + host + "-";
}

bool is_same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// A locked descriptor of a folder of this user that still has this name; -1: there is none, or it cannot be locked
/// now.
int locked(int among, const char* name) {
  const int fd = openat(among, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat opened {
  }, named{};
  const bool is_ours = fstat(fd, &opened) == 0 && opened.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
                       fstatat(among, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && is_same(opened, named);
  if (is_ours) return fd;
  close(fd);
  return -1;
}

/// By its descriptor: whoever may rename folders here could put another one in its place.
void remove_locked(int among, const std::string& name, int fd) {
  std::error_code ignored;
  for (fs::directory_iterator it("/proc/self/fd/" + std::to_string(fd), ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    std::error_code left;
    fs::remove_all(it->path(), left);
  }
  unlinkat(among, name.c_str(), AT_REMOVEDIR);
}

/// A new folder; "": none can be made.
std::string made(const fs::path& among, const std::string& names) {
  std::string pattern = (among / (names + std::string(kDrawn))).string();
  return mkdtemp(pattern.data()) == nullptr ? "" : pattern;
}

}  // namespace

void remove_dead_folders(const fs::path& among) {
  const std::string names = locked_names();
  const int there = open(among.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (there < 0) return;
  std::error_code ignored;
  for (fs::directory_iterator it(among, ignored), end; !ignored && it != end; it.increment(ignored)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(names) || name.size() != names.size() + kDrawn.size())
      continue;  // or of a machine whose name is longer
    const int fd = locked(there, name.c_str());
    if (fd < 0) continue;
    remove_locked(there, name, fd);
    close(fd);
  }
  close(there);
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const fs::path among = fs::temp_directory_path(error);
  if (error) throw RunError("no temporary folder can be made: " + error.message());
  static const bool is_clean = (remove_dead_folders(among), true);
  static_cast<void>(is_clean);
  std::string folder = made(among, locked_names());
  lock_ = folder.empty() ? -1 : locked(AT_FDCWD, folder.c_str());
  if (lock_ < 0) {  // its file system has no locks, say, or another process was faster; nobody removes this one
    if (!folder.empty()) rmdir(folder.c_str());
    folder = made(among, "nowsim-");
  }
  if (folder.empty()) throw RunError("no temporary folder can be made: " + std::string(std::strerror(errno)));
  path_ = folder;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

}  // namespace nowsim
