// By the rules by which experiments name them.
#include "tools/shipped/shipped_platforms.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "experiments/driver/reading/shipped_files.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/shipped/files_beside.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {

std::vector<std::string> shipped_platforms() { return platforms_in(shipped_platforms_folder()); }

bool is_shipped_platform(const std::string& name) {
  NamedFiles files;
  files.platforms = shipped_platforms_folder();
  return !files.shipped_platform(name, name).empty();
}

void refuse_no_platform(const std::string& name) {
  std::error_code ignored;
  if (is_shipped_platform(name)) return;
  if (std::filesystem::exists(name, ignored)) return refuse_other_kind(name, FileKind::platform);
  if (std::ranges::count(shipped_experiments(), name) > 0) refuse_as(FileKind::experiment, name);
}

std::string find_platform(const std::string& name) {
  NamedFiles files;
  files.platforms = shipped_platforms_folder();
  if (const std::string shipped = files.shipped_platform(name, name); !shipped.empty()) return shipped;
  if (const std::string misspelt = files.misspelt_platform(name, name); !misspelt.empty())
    throw InputError(misspelt + " ('nowsim list platforms' names those that come with it)");
  refuse_no_platform(name);
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) return name;
  if (const std::string own = file_without_ending(name, kPlatformEnding); !own.empty()) return own;
  if (const std::string near = near_file(name, {kPlatformEnding}); !near.empty())
    throw InputError("there is no file or platform " + quoted(name) + may_be_meant(near));
  return name;  // reading it says that it is missing
}

}  // namespace nowsim
