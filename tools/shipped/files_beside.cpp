// Folders listed, and names in them compared.
#include "tools/shipped/files_beside.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// Shorter names are near to all of their length.
constexpr std::size_t kLeastToCompare = 3;

/// Names in a folder ("" for where you are), sorted; none where it cannot be read.
std::vector<fs::path> names_in_folder(const fs::path& folder, const std::function<bool(const fs::path&)>& counts) {
  std::vector<fs::path> names;
  std::error_code error;
  fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error);
  for (const fs::directory_iterator end; !error && entry != end; entry.increment(error))
    if (counts(entry->path())) names.push_back(entry->path().filename());
  std::ranges::sort(names);
  return names;
}

std::string near_name(const std::string& name, const Words& known) {
  if (contains(known, name)) return name;
  return name.size() < kLeastToCompare ? "" : nearest_name(name, known);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

}  // namespace

std::string file_without_ending(const std::string& name, const std::string& ending) {
  std::error_code ignored;
  const std::string file = name + ending;
  return !name.empty() && !name.ends_with('/') && fs::is_regular_file(file, ignored) ? file : "";
}

std::string near_file(const std::string& name, const std::vector<std::string>& endings) {
  const fs::path written = name, folder = near_folder(written.parent_path().string());
  if (!written.has_filename() || (folder.empty() && written.has_parent_path())) return "";
  const auto files = names_in_folder(folder, [&](const fs::path& file) {
    std::error_code ignored;
    return contains(endings, file.extension().string()) && fs::is_regular_file(file, ignored);
  });
  Words stems;
  for (const fs::path& file : files) stems.push_back(file.stem().string());
  const std::string near = near_name(written.stem().string(), stems);
  const auto found = std::ranges::find(stems, near);
  return near.empty() ? "" : (folder / files[static_cast<std::size_t>(found - stems.begin())]).string();
}

std::string near_folder(const std::string& name) {
  fs::path found;
  for (const fs::path& part : fs::path(name)) {
    if (part.empty()) continue;  // behind a slash at the end
    if (is_folder(found / part)) {
      found /= part;
      continue;
    }
    Words known;
    for (const fs::path& folder : names_in_folder(found, is_folder)) known.push_back(folder.string());
    const std::string near = near_name(part.string(), known);
    if (near.empty()) return "";
    found /= near;
  }
  return found.string();
}

std::string may_be_meant(const std::string& path) { return path.empty() ? "" : "; did you mean " + quoted(path) + "?"; }

namespace {

constexpr const char* name_of(FileKind kind) { return kind == FileKind::platform ? "a platform" : "an experiment"; }

[[noreturn]] void refuse(const std::string& name, const std::string& is, FileKind wanted, const std::string& commands) {
  throw InputError(quoted(name) + " is " + is + ", and " + name_of(wanted) + " is wanted: " + commands);
}

}  // namespace

void refuse_as(FileKind is, const std::string& name) {
  if (is == FileKind::platform)
    refuse(name, name_of(is), FileKind::experiment,
           "'nowsim platform show' tells what it holds, 'nowsim plan' is for a job on it");
  refuse(name, name_of(is), FileKind::platform, "'nowsim run' runs it; a job is planned on a platform, FILE.xml");
}

void refuse_other_kind(const std::string& name, FileKind wanted) {
  std::error_code ignored;
  const bool is_store = fs::exists(fs::path(name) / kStoreFile, ignored);
  if (is_store) refuse(name, "a folder of results", wanted, "'nowsim show' tells what is there");
  if (name.ends_with(".xml") && wanted == FileKind::experiment) refuse_as(FileKind::platform, name);
  if ((name.ends_with(".yaml") || name.ends_with(".yml")) && wanted == FileKind::platform)
    refuse_as(FileKind::experiment, name);
}

}  // namespace nowsim
