#include "experiments/driver/reading/shipped_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLabDescription = "lab.yaml";
constexpr const char* kLabTexts = "texts.yaml";

/// The names that an iterator's paths have, sorted; "" is none. What cannot be read is not listed.
template <class Paths, class NameOf>
std::vector<std::string> names_of(Paths entry, const NameOf& name_of) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (; entry != Paths(); entry.increment(ignored))
    if (std::string name = name_of(entry->path()); !name.empty()) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

/// The words up to the first that ends a sentence, which is followed by a capital letter or by nothing.
std::string first_sentence(const std::string& text) {
  std::istringstream words(text);
  std::string sentence;
  for (std::string word; words >> word;) {
    const bool is_new = std::isupper(static_cast<unsigned char>(word.front())) != 0;
    if (is_new && sentence.ends_with('.')) break;
    sentence += (sentence.empty() ? "" : " ") + word;
  }
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

/// Whether one of nowsim's platforms may be meant by a file that is not there; by a name also where a folder has it.
bool may_be_shipped(const std::string& written, const fs::path& file) {
  std::error_code ignored;
  const bool is_name = !fs::path(written).has_parent_path();
  if (is_name) return !fs::exists(file, ignored) || fs::is_directory(file, ignored);
  return !fs::exists(file, ignored) && file.parent_path().filename() == "platforms";
}

}  // namespace

std::vector<std::string> experiments_in(const std::string& folder) {
  std::error_code ignored;
  const auto skip = fs::directory_options::skip_permission_denied;
  return names_of(fs::recursive_directory_iterator(folder, skip, ignored), [&](const fs::path& path) {
    const std::string file = path.filename().string();
    const bool is_experiment = file.ends_with(".yaml") && file != kLabDescription && file != kLabTexts;
    return is_experiment ? path.lexically_relative(folder).replace_extension().string() : "";
  });
}

std::vector<std::string> platforms_in(const std::string& folder) {
  std::error_code ignored;
  return names_of(fs::directory_iterator(folder, ignored), [](const fs::path& path) {
    return path.extension() == kPlatformEnding ? path.stem().string() : "";
  });
}

std::string platform_title(const std::string& file) {
  const std::string text = read_user_file(file, kMostPlatformBytes), open = "<!--";
  const auto begin = text.find(open);
  if (begin == std::string::npos) return "";
  return first_sentence(text.substr(begin + open.size(), text.find("-->", begin) - begin - open.size()));
}

std::vector<std::string> labs_in(const std::string& folder) {
  std::error_code ignored;
  return names_of(fs::directory_iterator(folder, ignored), [](const fs::path& path) {
    std::error_code unknown;
    return fs::is_regular_file(path / kLabDescription, unknown) ? path.filename().string() : "";
  });
}

std::string find_lab(const std::string& name, const std::string& labs_folder) {
  const std::vector<std::string> known = labs_in(labs_folder);
  if (contains(known, name)) return (fs::path(labs_folder) / name).string();
  throw InputError("there is no lab " + quoted(name) + " in " + labs_folder + did_you_mean(name, known) +
                   " ('nowsim lab' lists them; --labs DIR: yours)");
}

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
