// Writing beside, then renaming.
#include "experiments/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "experiments/set_aside.hpp"
#include "sim/error.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw RunError("cannot write " + path + ": " + why);
}

bool holds(const fs::path& file, const std::string& bytes) {
  std::ifstream in(file, std::ios::binary);
  return in && std::string(std::istreambuf_iterator<char>(in), {}) == bytes;
}

/// A new file beside the wanted one, so that it can be renamed; of this process alone.
fs::path written_beside(const fs::path& file, const std::string& bytes) {
  const fs::path made = folder_of(file) / ("." + file.filename().string() + "." + std::to_string(getpid()) + ".new");
  std::ofstream out(made, std::ios::binary);
  out << bytes;
  out.close();
  if (out) return made;
  const std::string why = std::strerror(errno);
  std::error_code ignored;
  fs::remove(made, ignored);
  cannot_write(file.string(), why);
}

}  // namespace

void check_output_file(const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw InputError("cannot write '" + path + "': " + why); };
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse("it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse("it is no regular file");
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, ignored)) refuse("there is no folder '" + folder.string() + "'");
  if (access(folder.c_str(), W_OK | X_OK) != 0) refuse("in its folder: " + std::string(std::strerror(errno)));
}

std::string write_output_file(const std::string& path, const std::string& bytes) {
  const fs::path made = written_beside(path, bytes);
  std::error_code error;
  fs::path aside;
  const bool is_other = fs::exists(fs::symlink_status(path, error)) && !holds(path, bytes);
  if (is_other)
    aside = set_aside(path, error);
  else
    error.clear();
  if (!error) fs::rename(made, path, error);
  if (!error) return aside.string();
  std::error_code ignored;
  fs::remove(made, ignored);
  cannot_write(path, error.message());
}

}  // namespace nowsim
