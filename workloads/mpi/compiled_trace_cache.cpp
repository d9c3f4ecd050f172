// Files are written aside and renamed, so that each is complete, and others that read it keep what they have.
#include "workloads/mpi/compiled_trace_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "workloads/mpi/file_bytes.hpp"
#include "workloads/mpi/mpi_trace_writer.hpp"

namespace nowsim {
namespace fs = std::filesystem;

NewCacheFile::NewCacheFile(const std::string& becomes)
    : becomes_(becomes), name_(becomes + ".XXXXXX"), file_(mkstemp(name_.data())) {
  if (!file_.is_open()) throw std::system_error(errno, std::generic_category());
}

NewCacheFile::~NewCacheFile() {
  if (!name_.empty()) unlink(name_.c_str());
}

void NewCacheFile::complete() {
  if (rename(name_.c_str(), becomes_.c_str()) != 0) throw std::system_error(errno, std::generic_category());
  name_.clear();
}

FileHandle unnamed_file(const std::string& folder) { return NewCacheFile(folder + "/nowsim-mpi-trace").take(); }

CompiledTraceCache::CompiledTraceCache() {
  const fs::path cache = user_cache_folder();
  if (cache.empty()) return;
  std::error_code none;
  fs::create_directories(cache, none);
  const std::string folder = (cache / "mpi-traces").string();
  constexpr mode_t kOwnersAlone = 0700;
  struct stat status {};
  const auto is_there = [&] {
    (void)mkdir(folder.c_str(), kOwnersAlone);  // or it is there
    return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  };
  if (is_there() && status.st_uid == geteuid() && !is_own(status))
    fs::remove_all(folder, none);  // others may have put there what it holds; a new one is the user's alone
  if (is_there() && is_own(status)) folder_ = folder;
}

/// The stamp's file has the key, the list's path, and the stamp: what it says of another list or other times is not
/// asked.
std::string CompiledTraceCache::key_of(const MpiTraceFiles& files, const MpiTraceStamp& stamp) const {
  constexpr std::size_t kMostKeyDigits = 64;
  std::error_code none;
  const std::string list = fs::weakly_canonical(files.list, none).string(), seen = "\n" + list + "\n" + stamp.text;
  TextHash name;
  name.add(list);
  const std::string file = folder_ + "/" + name.text() + ".stamp";
  if (const std::string known = read_own_file(file, kMostKeyDigits + seen.size()); known.ends_with(seen)) {
    std::string key = known.substr(0, known.size() - seen.size());
    if (!key.empty() && key.find_first_not_of("0123456789abcdef") == key.npos) return key;
  }
  std::string key = content_key(files);
  if (!stamp.is_settled) return key;
  try {
    NewCacheFile made(file);
    const std::string text = key + seen;
    write_at(made.get(), text.data(), text.size(), 0);
    made.complete();
  } catch (const std::system_error&) {  // the next time reads the text again
  }
  return key;
}

FileHandle CompiledTraceCache::find(const std::string& key) const {
  const std::string path = file_of(key);
  FileHandle file = open_own_file(path);
  if (file.is_open()) (void)utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  return file;
}

void CompiledTraceCache::tidy(const std::string& but_for) const {
  constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 30U;
  constexpr auto kDay = std::chrono::hours(24), kLong = 90 * kDay;
  struct Kept {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<Kept> all;
  std::error_code none;  // another process may tidy at the same time: what is gone is gone
  for (fs::directory_iterator at(folder_, none), end; at != end; at.increment(none)) {
    std::error_code gone;
    Kept kept{at->last_write_time(gone), gone ? 0 : at->file_size(gone), at->path()};
    if (!gone && kept.path != but_for) all.push_back(std::move(kept));
  }
  std::ranges::sort(all, std::ranges::greater(), &Kept::used);
  std::uintmax_t bytes = fs::file_size(but_for, none);
  if (none) bytes = 0;
  const auto now = fs::file_time_type::clock::now();
  for (const Kept& kept : all) {
    bytes += kept.bytes;
    const bool is_complete = kept.path.extension() == ".nowsim" || kept.path.extension() == ".stamp";
    if (bytes > kMostBytes || now - kept.used > (is_complete ? kLong : kDay)) fs::remove(kept.path, none);
  }
}

}  // namespace nowsim
