#include "experiments/driver/reading/named_files.hpp"

#include <filesystem>
#include <system_error>

#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// Whether one of nowsim's platforms may be meant by a file that is not there; by a name also where a folder has it.
bool may_be_shipped(const std::string& written, const fs::path& file) {
  std::error_code ignored;
  const bool is_name = !fs::path(written).has_parent_path();
  if (is_name) return !fs::exists(file, ignored) || fs::is_directory(file, ignored);
  return !fs::exists(file, ignored) && file.parent_path().filename() == "platforms";
}

}  // namespace

std::string NamedFiles::shipped_platform(const std::string& written, const std::string& file) const {
  if (platforms.empty() || !may_be_shipped(written, file)) return "";
  const fs::path name = fs::path(written).filename();
  for (const char* ending : {"", kPlatformEnding}) {
    const fs::path shipped = fs::path(platforms) / (name.string() + ending);
    std::error_code ignored;
    if (shipped.extension() == kPlatformEnding && fs::is_regular_file(shipped, ignored)) return shipped.string();
  }
  return "";
}

std::string NamedFiles::misspelt_platform(const std::string& written, const std::string& file) const {
  if (platforms.empty() || !may_be_shipped(written, file)) return "";
  const fs::path name = fs::path(written).filename();
  const std::string bare = (name.extension() == kPlatformEnding ? name.stem() : name).string();
  const std::string near = did_you_mean(bare, platforms_in(platforms));
  return near.empty() ? "" : "there is no file or platform " + quoted(written) + near;
}

}  // namespace nowsim
