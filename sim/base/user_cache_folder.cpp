// A path that is not absolute is ignored, as the XDG Base Directory Specification says.
#include "sim/base/user_cache_folder.hpp"

#include <cstdlib>
#include <filesystem>

namespace nowsim {
namespace {

/// Empty where the variable holds none.
std::filesystem::path absolute_path(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && std::filesystem::path(value).is_absolute() ? value : std::filesystem::path();
}

}  // namespace

std::string user_cache_folder() {
  if (const auto cache = absolute_path("XDG_CACHE_HOME"); !cache.empty()) return (cache / "nowsim").string();
  const auto home = absolute_path("HOME");
  return home.empty() ? "" : (home / ".cache" / "nowsim").string();
}

}  // namespace nowsim
