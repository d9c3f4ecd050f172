// Looked for beside nowsim's libraries: a program, a Python module and others' programs find those in the same way.
#include "tools/shipped/shipped_experiments.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/shipped/files_beside.hpp"
#include "tools/shipped/shipped_platforms.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// The folders in which the linker looks for what this program or module loads: those of its RUNPATH first.
std::vector<fs::path> library_folders() {
  Dl_info info{};
  link_map* self = nullptr;
  void* const here = reinterpret_cast<void*>(&library_folders);
  if (dladdr1(here, &info, reinterpret_cast<void**>(&self), RTLD_DL_LINKMAP) == 0 || self == nullptr) return {};
  Dl_serinfo sizes{};
  if (dlinfo(self, RTLD_DI_SERINFOSIZE, &sizes) != 0) return {};
  std::vector<std::byte> bytes(sizes.dls_size);
  auto* const all = reinterpret_cast<Dl_serinfo*>(bytes.data());
  if (dlinfo(self, RTLD_DI_SERINFOSIZE, all) != 0 || dlinfo(self, RTLD_DI_SERINFO, all) != 0) return {};
  std::vector<fs::path> folders;
  std::transform(all->dls_serpath, all->dls_serpath + all->dls_cnt, std::back_inserter(folders),
                 [](const Dl_serpath& path) { return fs::path(path.dls_name); });
  return folders;
}

/// Of an installation, whose libraries are in lib/nowsim or lib/TRIPLET/nowsim; of sources, built in build/PRESET.
std::vector<fs::path> places() {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& folder : library_folders())
    for (const char* from_there : {"../../share/nowsim/experiments", "../../../share/nowsim/experiments", "../../experiments"})
      if (const fs::path place = fs::weakly_canonical(folder / from_there, ignored);
          fs::is_directory(place, ignored) && std::ranges::count(found, place) == 0)
        found.push_back(place);
  return found;
}

constexpr const char* kLabTexts = "texts.yaml";
constexpr const char* kExperimentEnding = ".yaml";

/// Of a name that is no experiment's: which may be meant. A folder of experiments has many. "" where none is near.
std::string other_experiment(const std::string& name) {
  const fs::path written = name;
  const bool has_ending = written.extension() == kExperimentEnding || written.extension() == ".yml";
  const std::string bare = (has_ending ? fs::path(written).replace_extension() : written).string();
  const Words known = shipped_experiments();
  const std::string folder = bare.ends_with('/') ? bare : bare + "/";
  const auto in_folder = std::ranges::find_if(known, [&](const std::string& e) { return e.starts_with(folder); });
  if (in_folder == known.end()) return did_you_mean(bare, known);
  return ": this is a folder of them, such as " + quoted(*in_folder) + " ('nowsim list experiments' names all)";
}

/// Whoever writes an ending means a file, and one beside is nearer then than those that come with nowsim.
std::string what_may_be_meant(const std::string& name) {
  const std::string beside = may_be_meant(near_file(name, {kExperimentEnding, ".yml"}));
  if (!beside.empty() && fs::path(name).has_extension()) return beside;
  const std::string other = other_experiment(name);
  return other.empty() ? beside : other;
}

}  // namespace

std::string find_experiment(const std::string& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) {
    refuse_other_kind(name, FileKind::experiment);
    return name;
  }
  for (const auto& folder : places())
    for (const char* ending : {"", kExperimentEnding})
      if (const fs::path path = folder / (name + ending); fs::is_regular_file(path, ignored)) return path.string();
  if (const std::string own = file_without_ending(name, kExperimentEnding); !own.empty()) return own;
  if (is_shipped_platform(name)) refuse_as(FileKind::platform, name);
  if (const std::string other = what_may_be_meant(name); !other.empty())
    throw InputError("there is no file or experiment " + quoted(name) + other);
  return name;  // reading it says that it is missing
}

std::vector<std::string> shipped_experiments() {
  const auto folders = places();
  return folders.empty() ? std::vector<std::string>() : experiments_in(folders.front().string());
}

std::string shipped_experiments_folder() {
  const auto folders = places();
  return folders.empty() ? "" : folders.front().string();
}

std::string shipped_platforms_folder() {
  std::error_code ignored;
  for (const auto& folder : places())
    if (const fs::path platforms = folder.parent_path() / "platforms"; fs::is_directory(platforms, ignored))
      return platforms.string();
  return "";
}

std::string shipped_labs_folder() {
  std::error_code ignored;
  for (const auto& folder : places())
    if (fs::is_regular_file(folder / "labs" / kLabTexts, ignored)) return (folder / "labs").string();
  return "";
}

std::string places_of_experiments() {
  std::string text;
  for (const auto& folder : places()) text += (text.empty() ? "" : " or ") + folder.string();
  return text.empty() ? "share/nowsim/experiments beside the libraries" : text;
}

}  // namespace nowsim
