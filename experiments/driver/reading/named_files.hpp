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

  /// The platform of that name that comes with nowsim, of a file that is not where it is looked for, platforms/NAME: an
  /// experiment that was copied from nowsim's own names it so. "" of any other file.
  [[nodiscard]] std::string shipped_platform(const std::string& file) const;
};

}  // namespace nowsim
