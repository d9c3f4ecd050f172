// Files found and summed up; rows written and read.
#include "experiments/driver/sweeps/stored_origin.hpp"

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "experiments/driver/running/store_database.hpp"
#include "experiments/driver/running/store_schema.hpp"
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

void insert_row(StoreDatabase& store, std::int64_t experiment, const char* kind, std::size_t position,
                const std::string& value, std::optional<std::int64_t> sum = {}) {
  const auto at = static_cast<std::int64_t>(position);
  const auto row = store.statement("INSERT INTO origin(experiment, kind, position, value, checksum) VALUES(?,?,?,?,?)");
  row->bind(5);  // NULL, if there is no sum
  if (sum) row->bind(5, *sum);
  run(row, experiment, kind, at, value);
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

void write_origin(StoreDatabase& store, std::int64_t experiment, const StoredOrigin& origin) {
  if (origin.files.empty()) return;
  store.database->exec(kOriginTable);
  for (std::size_t k = 0; k < origin.files.size(); ++k)
    insert_row(store, experiment, kFile, k, origin.files[k].path, origin.files[k].checksum);
  for (std::size_t k = 0; k < origin.flags.size(); ++k) insert_row(store, experiment, kFlag, k, origin.flags[k]);
  for (std::size_t k = 0; k < origin.user_code.size(); ++k)
    insert_row(store, experiment, kCode, k, origin.user_code[k]);
  insert_row(store, experiment, kFolder, 0, origin.folder);
}

StoredOrigin read_origin(StoreDatabase& store, std::int64_t experiment) {
  StoredOrigin origin;
  if (!store.database->tableExists("origin")) return origin;
  const auto rows =
      store.statement("SELECT kind, value, checksum FROM origin WHERE experiment = ? ORDER BY kind, position");
  rows->bind(1, experiment);
  while (rows->executeStep()) {
    const std::string kind = rows->getColumn(0).getString(), value = rows->getColumn(1).getString();
    if (kind == kFlag) origin.flags.push_back(value);
    if (kind == kCode) origin.user_code.push_back(value);
    if (kind == kFolder) origin.folder = value;
    if (kind != kFile) continue;
    const auto sum = rows->getColumn(2);
    origin.files.push_back({value, sum.isNull() ? std::nullopt : std::optional<std::int64_t>(sum.getInt64())});
  }
  return origin;
}

void forget_origin(StoreDatabase& store, std::int64_t experiment) {
  if (store.database->tableExists("origin"))
    run(store.statement("DELETE FROM origin WHERE experiment = ?"), experiment);
}

void seal_origin(StoreDatabase& store, std::int64_t experiment, Seal& seal) {
  if (!store.database->tableExists("origin")) return;
  const auto rows = store.statement(
      "SELECT kind, position, value, checksum FROM origin WHERE experiment = ? ORDER BY kind, position");
  rows->bind(1, experiment);
  while (rows->executeStep()) seal.add_row(*rows, rows->getColumnCount());
}

}  // namespace nowsim
