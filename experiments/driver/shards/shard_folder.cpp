// Publishing by link(): written aside, synced, linked, unlinked.
#include "experiments/driver/shards/shard_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>

#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/error.hpp"
#include "sim/base/plain_file.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kIncoming = "incoming";
constexpr const char* kDamaged = "damaged";
constexpr std::string_view kRenamed = "-renamed";
constexpr std::uintmax_t kLeastRoom = std::uintmax_t{64} << 20U;

/// A file to be written.
class OpenFile {
 public:
  OpenFile(const fs::path& path, int flags) : path_(path), file_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (!file_.is_open()) cannot_write(path.string(), std::strerror(errno));
  }

  void write_all(const std::string& bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t n = write(file_.get(), bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) cannot_write(path_.string(), std::strerror(errno));
      done += static_cast<std::size_t>(n);
    }
  }
  void sync() const {
    if (fsync(file_.get()) != 0) cannot_write(path_.string(), std::strerror(errno));
  }

 private:
  fs::path path_;
  FileHandle file_;
};

/// A new file with these bytes, on the disk; gone again where that fails.
void write_new(const fs::path& file, const std::string& bytes) {
  try {
    const OpenFile out(file, O_WRONLY | O_CREAT | O_EXCL);
    out.write_all(bytes);
    out.sync();
  } catch (const RunError&) {
    std::error_code ignored;
    fs::remove(file, ignored);
    throw;
  }
}

/// That names in a folder outlast a power failure; file systems that cannot promise it are taken as they are.
void sync_folder(const fs::path& folder) {
  const FileHandle opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) fsync(opened.get());
}

/// Over a network link() may say that the name is there though it is this call that has made it: the number of the
/// file's names tells.
void link_new(const fs::path& from, const fs::path& to) {
  if (link(from.c_str(), to.c_str()) == 0) return;
  const int error = errno;
  struct stat status{};
  if (stat(from.c_str(), &status) == 0 && status.st_nlink > 1) return;
  if (error == EEXIST) return;  // the same bytes, or one that was first
  throw RunError("cannot publish " + to.string() + ": " + std::strerror(error));
}

/// The files of a folder, in the order of their names; none where it is missing.
std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) files.push_back(it->path());
  std::ranges::sort(files);
  return files;
}

[[noreturn]] void cannot_read(const fs::path& path) {
  throw RunError("cannot read " + path.string() + ": " + std::strerror(errno));
}

/// Whoever may write into a shared folder may have put anything there: a pipe is waited for, to open some devices is to
/// act on them, and a link leads elsewhere. @throws InputError.
void check_ordinary(const fs::path& path, const struct stat& status, std::uintmax_t most_bytes) {
  if (!S_ISREG(status.st_mode))
    throw InputError(path.string() + " is " +
                     (S_ISLNK(status.st_mode)   ? "a link"
                      : S_ISDIR(status.st_mode) ? "a folder"
                                                : "a pipe or a device") +
                     ", and no file that nowsim has published");
  if (static_cast<std::uintmax_t>(status.st_size) > most_bytes)
    throw InputError(path.string() + " has " + std::to_string(status.st_size) +
                     " bytes, and what nowsim publishes of its kind at most " + std::to_string(most_bytes));
}

/// Whether something is there, which is an ordinary file then.
bool is_there(const fs::path& path, std::uintmax_t most_bytes) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    cannot_read(path);
  }
  check_ordinary(path, status, most_bytes);
  return true;
}

/// A file's bytes; nothing where there is none. An error is no file that is damaged.
std::optional<std::string> bytes_there(const fs::path& path, std::uintmax_t most_bytes) {
  if (!is_there(path, most_bytes)) return std::nullopt;
  const FileHandle file = open_plain_file(path);
  const int error = errno;
  if (!file.is_open() && !is_there(path, most_bytes)) return std::nullopt;  // it may be gone by now, or another one
  struct stat status {};
  errno = error;
  if (!file.is_open() || fstat(file.get(), &status) != 0) cannot_read(path);
  check_ordinary(path, status, most_bytes);
  auto bytes = read_up_to(file, static_cast<std::size_t>(status.st_size));
  if (!bytes) cannot_read(path);
  return bytes;
}

/// unique_name(), which no user gives a file: behind the machine three numbers.
bool is_unique_name(std::string_view name) {
  for (int k = 0; k < 3; ++k) {
    const auto dash = name.rfind('-');
    if (dash == name.npos || dash + 1 == name.size() || name.find_first_not_of("0123456789", dash + 1) != name.npos)
      return false;
    name = name.substr(0, dash);
  }
  return true;
}

}  // namespace

std::string unique_name() {
  std::random_device random;  // names alone: no result depends on it
  return host_name() + "-" + std::to_string(getpid()) + "-" + std::to_string(random()) + "-" + std::to_string(random());
}

template <typename Write>
void ShardFolder::replace(const fs::path& file, Write&& write) const {
  const fs::path part = path_ / kIncoming / unique_name();
  write(part);
  if (std::rename(part.c_str(), file.c_str()) != 0) {
    const int error = errno;
    std::error_code ignored;
    fs::remove(part, ignored);
    cannot_write(file.string(), std::strerror(error));
  }
  sync_folder(file.parent_path());
}

ShardFolder::ShardFolder(fs::path out) : out_(std::move(out)), path_(out_ / "shards") {}

bool ShardFolder::exists() const {
  std::error_code ignored;
  return fs::is_directory(path_, ignored);
}

void ShardFolder::make() const {
  std::error_code error;
  for (const fs::path& folder : {path_ / kIncoming, path_ / kDamaged})
    if (fs::create_directories(folder, error); error)
      throw InputError("the folder " + folder.string() + " cannot be made: " + error.message());
  if (const auto room = fs::space(path_, error); !error && room.available < kLeastRoom)
    throw InputError("in " + path_.string() + " less than " + std::to_string(kLeastRoom >> 20U) +
                     " MB are free: make room, or choose another folder");
  // Here, and not in 'incoming': a client of a network file system that sees the folder change lists it anew.
  const fs::path first = path_ / ("." + unique_name()), second = path_ / ("." + unique_name());
  const auto refuse = [&](const char* what) {
    const std::string why = std::strerror(errno);
    fs::remove(first, error);
    fs::remove(second, error);
    throw InputError("files cannot be " + std::string(what) + " in " + path_.string() + " (" + why +
                     "), by which shards publish what they have: choose a folder of another file system");
  };
  write_new(first, "");
  if (link(first.c_str(), second.c_str()) != 0) refuse("linked");
  if (std::rename(second.c_str(), (second.string() + std::string(kRenamed)).c_str()) != 0) refuse("renamed");
  fs::remove(first, error);
  fs::remove(second.string() + std::string(kRenamed), error);
}

std::string ShardFolder::publish(const std::string& bytes, const std::string& label) const {
  const std::string name = content_name(bytes) + "-" + label;
  std::error_code ignored;
  if (fs::exists(path_ / name, ignored)) return name;
  const fs::path part = path_ / kIncoming / unique_name();
  write_new(part, bytes);
  link_new(part, path_ / name);
  sync_folder(path_);
  fs::remove(part, ignored);
  return name;
}

void ShardFolder::put(const std::string& name, const std::string& bytes, bool once) const {
  if (!once) return replace(path_ / name, [&](const fs::path& part) { write_new(part, bytes); });
  const fs::path part = path_ / kIncoming / unique_name();
  write_new(part, bytes);
  link_new(part, path_ / name);
  std::error_code ignored;
  fs::remove(part, ignored);
}

std::optional<std::string> ShardFolder::get(const std::string& name) const {
  return bytes_there(path_ / name, kMostTold_bytes);
}
std::optional<std::string> ShardFolder::bytes(const std::string& name) const {
  return bytes_there(path_ / name, kMostPublished_bytes);
}
bool ShardFolder::has(const std::string& name) const { return is_there(path_ / name, kMostPublished_bytes); }

void ShardFolder::put_into_out(const std::string& name, const fs::path& from) const {
  replace(out_ / name, [&](const fs::path& part) {
    std::error_code error;
    if (fs::copy_file(from, part, error); !error) return OpenFile(part, O_WRONLY).sync();
    std::error_code ignored;
    fs::remove(part, ignored);
    cannot_write((out_ / name).string(), error.message());
  });
}

bool ShardFolder::is_plain(std::string_view name) {
  return std::ranges::none_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::vector<std::string> ShardFolder::names(const std::string& ending) const {
  std::vector<std::string> found;
  for (const fs::path& file : files_of(path_))
    if (const std::string name = file.filename().string();
        name.size() > kContentNameLength && name.ends_with(ending) && is_plain(name))
      found.push_back(name);
  return found;
}

bool ShardFolder::is_whole(const std::string& name, const std::string& bytes) {
  return content_name(bytes) == name.substr(0, kContentNameLength);
}

std::optional<std::string> ShardFolder::whole(const std::string& name) const {
  auto there = bytes(name);
  if (there && !is_whole(name, *there)) there.reset();
  return there;
}

std::string ShardFolder::set_aside(const std::string& name) const {
  constexpr std::size_t kKept = 100;  // a name may be as long as names can be
  const fs::path from = path_ / name, to = path_ / kDamaged / (name.substr(0, kKept) + "." + unique_name());
  std::error_code error;
  fs::rename(from, to, error);
  if (!error || error == std::errc::no_such_file_or_directory)
    return "it is now " + to.string();  // by whoever was first
  return "it stays " + from.string() + " (" + error.message() + ")";
}

fs::file_time_type ShardFolder::now() const try {
  const fs::path probe = path_ / kIncoming / unique_name();
  write_new(probe, "");
  const auto now = fs::last_write_time(probe);
  fs::remove(probe);
  return now;
} catch (const std::exception&) {
  return fs::file_time_type::clock::now();
}

void ShardFolder::remove_leftovers() const {
  const auto now = this->now();
  std::error_code ignored;
  const auto is_old = [&](const fs::path& file) {
    const auto written = fs::last_write_time(file, ignored);
    return !ignored && now - written > std::chrono::hours(24);
  };
  for (const fs::path& file : files_of(path_ / kIncoming))
    if (is_unique_name(file.filename().string()) && is_old(file)) fs::remove(file, ignored);
  for (const fs::path& file : files_of(path_)) {  // where make() was killed
    std::string name = file.filename().string();
    if (name.ends_with(kRenamed)) name.resize(name.size() - kRenamed.size());
    if (name.starts_with('.') && is_unique_name(name) && is_old(file)) fs::remove(file, ignored);
  }
}

}  // namespace nowsim
