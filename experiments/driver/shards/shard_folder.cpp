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
#include <system_error>
#include <utility>

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
constexpr std::uintmax_t kLeastRoom = std::uintmax_t{64} << 20U;

/// A new file with these bytes, on the disk; gone again where that fails.
void write_new(const fs::path& file, const std::string& bytes) {
  const FileHandle out(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  bool is_good = out.is_open();
  for (std::size_t done = 0; is_good && done < bytes.size();) {
    const ssize_t n = write(out.get(), bytes.data() + done, bytes.size() - done);
    if (n >= 0) done += static_cast<std::size_t>(n);
    else is_good = errno == EINTR;
  }
  if (is_good && fsync(out.get()) == 0) return;
  const int error = errno;
  std::error_code ignored;
  if (out.is_open()) fs::remove(file, ignored);
  cannot_write(file.string(), std::strerror(error));
}

/// That names in a folder outlast a power failure; file systems that cannot promise it are taken as they are.
void sync_folder(const fs::path& folder) {
  const FileHandle opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) fsync(opened.get());
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
void check_ordinary(const fs::path& path, const struct stat& status) {
  if (!S_ISREG(status.st_mode))
    throw InputError(path.string() + " is " +
                     (S_ISLNK(status.st_mode)   ? "a link"
                      : S_ISDIR(status.st_mode) ? "a folder"
                                                : "a pipe or a device") +
                     ", and no file that nowsim has published");
  if (static_cast<std::uintmax_t>(status.st_size) > kMostPublished_bytes)
    throw InputError(path.string() + " has " + std::to_string(status.st_size) +
                     " bytes, and what nowsim publishes of its kind at most " + std::to_string(kMostPublished_bytes));
}

/// Whether something is there, which is an ordinary file then.
bool is_there(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    cannot_read(path);
  }
  check_ordinary(path, status);
  return true;
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
}

std::string ShardFolder::publish(const std::string& bytes, const std::string& label) const {
  const std::string name = content_name(bytes) + "-" + label;
  std::error_code ignored;
  if (fs::exists(path_ / name, ignored)) return name;
  const fs::path part = path_ / kIncoming / unique_name();
  write_new(part, bytes);
  if (std::rename(part.c_str(), (path_ / name).c_str()) != 0) {  // in the place of another one's same bytes, if of any
    const int error = errno;
    fs::remove(part, ignored);
    throw RunError("cannot publish " + (path_ / name).string() + ": " + std::strerror(error));
  }
  sync_folder(path_);
  return name;
}

std::optional<std::string> ShardFolder::bytes(const std::string& name, std::size_t most) const {
  const fs::path path = path_ / name;
  if (!is_there(path)) return std::nullopt;
  const FileHandle file = open_plain_file(path);
  const int error = errno;
  if (!file.is_open() && !is_there(path)) return std::nullopt;  // it may be gone by now, or another one
  struct stat status {};
  errno = error;
  if (!file.is_open() || fstat(file.get(), &status) != 0) cannot_read(path);
  check_ordinary(path, status);
  auto bytes = read_up_to(file, std::min(most, static_cast<std::size_t>(status.st_size)));
  if (!bytes) cannot_read(path);
  return bytes;
}

std::vector<std::string> ShardFolder::names(std::string_view ending) const {
  const auto is_plain = [](std::string_view name) {
    return std::ranges::none_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  };
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

void ShardFolder::remove(const std::string& name) const {
  std::error_code ignored;
  fs::remove(path_ / name, ignored);
}

std::string ShardFolder::set_aside(const std::string& name) const {
  constexpr std::size_t kKept = 100;  // a name may be as long as names can be
  const fs::path from = path_ / name, to = path_ / kDamaged / (name.substr(0, kKept) + "." + unique_name());
  std::error_code error;
  fs::create_directories(path_ / kDamaged, error);
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
  for (const fs::path& file : files_of(path_ / kIncoming)) {
    if (!is_unique_name(file.filename().string())) continue;
    const auto written = fs::last_write_time(file, ignored);
    if (!ignored && now - written > std::chrono::hours(24)) fs::remove(file, ignored);
  }
}

}  // namespace nowsim
