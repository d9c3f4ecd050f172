// Files found and summed up; rows written and read.
#include "experiments/driver/sweeps/stored_origin.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/user_file.hpp"
#include "sim/platform/platform_text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char *kFile = "file", *kFlag = "flag", *kCode = "code", *kFolder = "folder";

bool is_regular(const std::string& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored);
}

/// Whether a file is as it was at that time: by its change, which the system dates. What a file says of its age may lie
/// in the future, as that of a copy from another machine.
bool is_unchanged_since(const std::string& file, fs::file_time_type read_at) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return false;
  const auto changed = std::chrono::seconds(status.st_ctim.tv_sec) + std::chrono::nanoseconds(status.st_ctim.tv_nsec);
  return changed <= std::chrono::file_clock::to_sys(read_at).time_since_epoch();
}

StoredFile stored_file(const std::string& file, fs::file_time_type read_at) {
  std::error_code ignored;
  StoredFile stored{fs::absolute(file, ignored).lexically_normal().string(), std::nullopt};
  if (!is_regular(file)) return stored;
  const std::int64_t sum = checksum(bytes_of(file));
  if (is_unchanged_since(file, read_at)) stored.checksum = sum;
  return stored;
}

/// All that keys named and that is there, and the profiles that platforms name; no folders. A pipe has been read.
std::set<std::string> files_named(const FilesNoted& noted) {
  std::set<std::string> files = noted.platforms;
  files.insert(noted.others.begin(), noted.others.end());
  for (const auto& platform : noted.platforms) {
    if (!is_regular(platform)) continue;
    for (const auto& profile : take_profiles_out(read_user_file(platform, kMostPlatformBytes), platform).profile_files)
      files.insert(profile);
  }
  std::erase_if(files, [](const std::string& file) {
    std::error_code ignored;
    return fs::is_directory(file, ignored) || !fs::exists(file, ignored);
  });
  return files;
}

}  // namespace

StoredOrigin origin_to_store(const Experiment& experiment) {
  const Origin& origin = experiment.origin;
  if (!origin.is_of_file) return {};
  StoredOrigin stored{
      {stored_file(experiment.file, origin.read_at)}, origin.flags, origin.user_code, origin.folder.string()};
  for (const auto& file : files_named(*origin.files)) stored.files.push_back(stored_file(file, origin.read_at));
  return stored;
}

std::vector<OriginRow> rows_of_origin(const StoredOrigin& origin, std::int64_t experiment) {
  std::vector<OriginRow> rows;
  if (origin.files.empty()) return rows;
  const auto add = [&](const char* kind, const std::string& value, std::int64_t sum = 0) {
    rows.push_back({experiment, kind, std::ranges::count(rows, kind, &OriginRow::kind), value, sum});
  };
  for (const auto& file : origin.files) add(kFile, file.path, file.checksum.value_or(0));
  for (const auto& flag : origin.flags) add(kFlag, flag);
  for (const auto& code : origin.user_code) add(kCode, code);
  add(kFolder, origin.folder);
  return rows;
}

StoredOrigin origin_of(const std::vector<OriginRow>& rows) {
  StoredOrigin origin;
  for (const auto& row : rows) {
    if (row.kind == kFlag) origin.flags.push_back(row.value);
    if (row.kind == kCode) origin.user_code.push_back(row.value);
    if (row.kind == kFolder) origin.folder = row.value;
    if (row.kind != kFile) continue;
    origin.files.push_back({row.value, row.checksum == 0 ? std::nullopt : std::optional(row.checksum)});
  }
  return origin;
}

}  // namespace nowsim
