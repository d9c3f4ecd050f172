#include "experiments/driver/reading/named_files.hpp"

#include <filesystem>
#include <system_error>

namespace nowsim {
namespace fs = std::filesystem;

std::string NamedFiles::shipped_platform(const std::string& file) const {
  const fs::path path = file;
  std::error_code ignored;
  if (platforms.empty() || path.parent_path().filename() != "platforms" || fs::exists(path, ignored)) return "";
  const fs::path shipped = fs::path(platforms) / path.filename();
  return fs::is_regular_file(shipped, ignored) ? shipped.string() : "";
}

}  // namespace nowsim
