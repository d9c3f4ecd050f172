// Looking through folders; what cannot be read is not listed.
#include "experiments/driver/reading/shipped_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLabDescription = "lab.yaml";
constexpr const char* kLabTexts = "texts.yaml";

bool is_lab(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / kLabDescription, ignored);
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

std::vector<std::string> platforms_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  fs::directory_iterator entry(folder, ignored), end;
  for (; entry != end; entry.increment(ignored))
    if (entry->path().extension() == kPlatformEnding) names.push_back(entry->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string platform_title(const std::string& file) {
  const std::string text = read_user_file(file, kMostPlatformBytes), open = "<!--";
  const auto begin = text.find(open);
  if (begin == std::string::npos) return "";
  return first_sentence(text.substr(begin + open.size(), text.find("-->", begin) - begin - open.size()));
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
