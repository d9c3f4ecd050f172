// Writing beside, then renaming; opening, locking, and a line at a time.
#include "experiments/driver/text/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <streambuf>

#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

using OpenFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// What goes through a stream goes into a file, whose buffer is its own.
class IntoFile final : public std::streambuf {
 public:
  explicit IntoFile(std::FILE* file) : file_(file) {}

 protected:
  int_type overflow(int_type c) override {
    return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c) : std::fputc(c, file_);
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    return static_cast<std::streamsize>(std::fwrite(bytes, 1, static_cast<std::size_t>(count), file_));
  }

 private:
  std::FILE* file_;
};

/// A new file beside the wanted one, so that it can be renamed. It goes with the object, unless it has been renamed.
/// Its name is one that nothing has, no link either, and short: the wanted one may be as long as names can be.
class FileBeside {
 public:
  explicit FileBeside(const std::string& wanted) : wanted_(wanted) {
    int fd = -1;
    for (int k = 0; fd < 0 && (k == 0 || errno == EEXIST); ++k) {
      path_ = folder_of(wanted) / (".nowsim-" + std::to_string(getpid()) + "-" + std::to_string(k) + ".new");
      fd = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    if (fd < 0) cannot_write(wanted, std::strerror(errno));
    file_.reset(fdopen(fd, "wb"));
    if (!file_) cannot_write(wanted, std::strerror(errno));
  }
  ~FileBeside() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  void fill(const std::function<void(std::ostream&)>& write) {
    IntoFile buffer(file_.get());
    std::ostream out(&buffer);
    write(out);
    if (std::fclose(file_.release()) != 0 || !out) cannot_write(wanted_, std::strerror(errno));
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  std::string wanted_;
  fs::path path_;
  OpenFile file_{nullptr, std::fclose};
};

/// Renames what is there, and returns its new name. @throws RunError.
std::string kept_aside(const std::string& path) {
  std::error_code error;
  const std::string aside = backup_file(path, error).string();
  if (error) cannot_write(path, "what is there cannot be kept as " + aside + ": " + error.message());
  return aside;
}

/// Puts a file where nothing is. What is there is kept before, under a new name, and returned; `error` is
/// std::errc::file_exists where another program has put something there meanwhile. After any other error what was there
/// is where it was; where even that fails, the error says where it is. @throws RunError.
std::string keep_and_put(const fs::path& made, const std::string& path, std::error_code& error) {
  const std::string aside = kept_aside(path);
  rename_to_free(made, path, error);
  if (!error || error == std::errc::file_exists) return aside;
  std::error_code again;
  rename_to_free(aside, path, again);
  cannot_write(path, error.message() + (again ? "; what was there is now " + aside : ""));
}

}  // namespace

void cannot_write(const std::string& path, const std::string& why) {
  throw RunError("cannot write " + path + ": " + why);
}

void check_output_file(const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw InputError("cannot write '" + path + "': " + why); };
  std::error_code error, ignored;
  const fs::file_status status = fs::status(path, error);
  if (error == std::errc::filename_too_long) refuse(error.message());
  if (fs::is_directory(status)) refuse("it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse("it is no regular file");
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, ignored)) refuse("there is no folder '" + folder.string() + "'");
  if (access(folder.c_str(), W_OK | X_OK) != 0) refuse("in its folder: " + std::string(std::strerror(errno)));
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(file, unknown);
  std::string bytes(unknown ? 0 : size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes.append(std::istreambuf_iterator<char>(in), {});  // of files without a size, or that have grown
}

bool has_same_bytes(const fs::path& there, const fs::path& made) {
  std::error_code ignored;
  return fs::file_size(there, ignored) == fs::file_size(made, ignored) && bytes_of(there) == bytes_of(made);
}

std::string write_output_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                              const MayReplace& may_replace) {
  FileBeside made(path);
  made.fill(write);
  std::string kept;
  std::error_code error;
  do {  // until nothing comes there between the look and the renaming
    const fs::file_status there = fs::symlink_status(path, error);
    if (fs::is_regular_file(there) && may_replace(path, made.path()))
      fs::rename(made.path(), path, error);
    else if (fs::exists(there))
      kept += (kept.empty() ? "" : " and ") + keep_and_put(made.path(), path, error);
    else
      rename_to_free(made.path(), path, error);
  } while (error == std::errc::file_exists);
  if (error) cannot_write(path, error.message());
  return kept;
}

void rename_to_free(const fs::path& from, const fs::path& to, std::error_code& error) {
  error.clear();
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  error = {errno, std::generic_category()};
#else
  error = std::make_error_code(std::errc::function_not_supported);
#endif
  if (error != std::errc::invalid_argument && error != std::errc::function_not_supported) return;
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(to, ignored)))
    error = std::make_error_code(std::errc::file_exists);
  else
    fs::rename(from, to, error);
}

fs::path backup_file(const fs::path& path, std::error_code& error) {
  for (int k = 1;; ++k) {
    const fs::path aside = path.string() + ".~" + std::to_string(k) + "~";
    rename_to_free(path, aside, error);
    if (error != std::errc::file_exists) return aside;
  }
}

namespace {

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
  const FileHandle opened(open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) (void)fsync(opened.get());
}

/// Renames the file, if no process writes it; returns its new name.
std::string keep(const std::string& path) {
  std::error_code error;
  LockedFile old;
  if (fs::exists(path, error)) old = LockedFile(path, O_RDONLY);  // a link that leads nowhere is renamed as it is
  return kept_aside(path);
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
