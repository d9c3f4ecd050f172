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
#include <utility>

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

/// A folder of this user that still has this name, locked; not open where there is none, or it cannot be locked now.
FileHandle locked(int among, const char* name) {
  FileHandle folder(openat(among, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!folder.is_open()) return folder;
  const int fd = folder.get();
  struct stat opened {
  }, named{};
  const bool is_ours = fstat(fd, &opened) == 0 && opened.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
                       fstatat(among, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && is_same(opened, named);
  return is_ours ? std::move(folder) : FileHandle();
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
  const FileHandle there(open(among.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!there.is_open()) return;
  std::error_code ignored;
  for (fs::directory_iterator it(among, ignored), end; !ignored && it != end; it.increment(ignored)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(names) || name.size() != names.size() + kDrawn.size())
      continue;  // or of a machine whose name is longer
    const FileHandle dead = locked(there.get(), name.c_str());
    if (dead.is_open()) remove_locked(there.get(), name, dead.get());
  }
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const fs::path among = fs::temp_directory_path(error);
  if (error) throw RunError("no temporary folder can be made: " + error.message());
  static const bool is_clean = (remove_dead_folders(among), true);
  static_cast<void>(is_clean);
  std::string folder = made(among, locked_names());
  if (!folder.empty()) lock_ = locked(AT_FDCWD, folder.c_str());
  if (!lock_.is_open()) {  // its file system has no locks, say, or another process was faster; nobody removes this one
    if (!folder.empty()) rmdir(folder.c_str());
    folder = made(among, "nowsim-");
  }
  if (folder.empty()) throw RunError("no temporary folder can be made: " + std::string(std::strerror(errno)));
  path_ = folder;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace nowsim
