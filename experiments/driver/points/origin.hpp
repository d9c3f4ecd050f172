// What an experiment was read from: flags, the files that its keys named, and code that is not nowsim's own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/reading/named_files.hpp"
#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/sweep.hpp"

namespace nowsim {

struct Origin {
  bool is_of_file = false;         ///< file and flags are all that was said; else a command or program said more
  std::vector<std::string> flags;  ///< key=value, in their order
  std::filesystem::path folder;    ///< from where relative paths in flags count
  std::shared_ptr<const FilesNoted> files;
  std::vector<std::string> user_code;       ///< what of it is used: "workload 'mine'"
  std::filesystem::file_time_type read_at;  ///< when reading began
};

/// Of the things that these settings and axes name those that are none of nowsim's own, in words.
std::vector<std::string> user_code_in(const Settings& settings, const Sweep& sweep, const Registries& registries);

}  // namespace nowsim
