// Where the files may be that an experiment names.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace nowsim {

/// Files and folders that keys were found to name, as this process finds them.
struct FilesNoted {
  std::set<std::string> platforms, others;
};

struct NamedFiles {
  std::vector<std::string> within = {};  ///< folders that all of them have to be in; none: they may be anywhere
  std::string platforms = {};  ///< the folder of platforms that come with nowsim; "" where there is none
  std::shared_ptr<FilesNoted> noted = {};  ///< where what keys name is noted; null: nowhere

  /// The platform that comes with nowsim and is meant by `written` where there is no such file: by its name, lab-now or
  /// lab-now.xml, or by the folder, .../platforms/lab-now.xml, as copies of nowsim's own experiments have it. `file` is
  /// where it is looked for. "" of any other.
  [[nodiscard]] std::string shipped_platform(const std::string& written, const std::string& file) const;
  /// Where there is no such file, and its name is near one of those platforms: a sentence that says so. Otherwise "".
  [[nodiscard]] std::string misspelt_platform(const std::string& written, const std::string& file) const;
};

}  // namespace nowsim
