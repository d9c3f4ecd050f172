// Looking through folders; what cannot be read is not listed.
#include "experiments/driver/reading/shipped_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLabDescription = "lab.yaml";
constexpr const char* kLabTexts = "texts.yaml";

bool is_lab(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / kLabDescription, ignored);
}

}  // namespace

std::vector<std::string> experiments_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  const auto skip = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator entry(folder, skip, ignored), end;
  for (; entry != end; entry.increment(ignored))
    if (const std::string file = entry->path().filename().string();
        file.ends_with(".yaml") && file != kLabDescription && file != kLabTexts)
      names.push_back(entry->path().lexically_relative(folder).replace_extension().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> labs_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  fs::directory_iterator entry(folder, ignored), end;
  for (; entry != end; entry.increment(ignored))
    if (is_lab(entry->path())) names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string find_lab(const std::string& name, const std::string& labs_folder) {
  const std::vector<std::string> known = labs_in(labs_folder);
  if (contains(known, name)) return (fs::path(labs_folder) / name).string();
  throw InputError("there is no lab " + quoted(name) + " in " + labs_folder + did_you_mean(name, known) +
                   " ('nowsim lab' lists them; --labs DIR: yours)");
}

}  // namespace nowsim
