// Which experiments, platforms and labs a folder holds, and where the files may be that an experiment names.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace nowsim {

/// The names of all experiments of a folder of folders, sorted: labs/network, ... Labs' descriptions and texts are
/// none.
std::vector<std::string> experiments_in(const std::string& folder);
/// How the name of a platform's file ends.
inline constexpr const char* kPlatformEnding = ".xml";
/// The names of the platforms of a folder, sorted: lab-now, ...
std::vector<std::string> platforms_in(const std::string& folder);
/// What a platform's file says of itself: the first sentence of its first comment, on one line; "" where it has none.
/// @throws InputError where the file cannot be read.
std::string platform_title(const std::string& file);
/// The names of the labs of a folder, sorted: of its folders with a lab.yaml.
std::vector<std::string> labs_in(const std::string& folder);
/// The folder of a lab of that name in a folder of labs, and of no path: an answers file may not choose the description
/// that it is judged by. @throws InputError where there is none.
std::string find_lab(const std::string& name, const std::string& labs_folder);

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
