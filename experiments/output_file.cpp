// Writing beside, then renaming.
#include "experiments/output_file.hpp"

#include <unistd.h>

#include <algorithm>
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

/// A new file beside the wanted one, so that it can be renamed; of this process alone. It goes with the object, unless
/// it has been renamed. Its name is short: the wanted one may be as long as names can be.
class FileBeside {
 public:
  explicit FileBeside(const fs::path& wanted)
      : path_(folder_of(wanted) / (".nowsim-" + std::to_string(getpid()) + ".new")) {}
  ~FileBeside() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool same_bytes(const fs::path& a, const fs::path& b) {
  std::ifstream in_a(a, std::ios::binary), in_b(b, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return in_a && in_b && std::equal(Bytes(in_a), Bytes(), Bytes(in_b), Bytes());
}

/// Puts a file in another's place, which is kept under a new name; returns that. After an error the other is where it
/// was; where even that fails, the error says where it is.
std::string put_in_place(const fs::path& made, const std::string& path) {
  std::error_code error;
  const fs::path aside = set_aside(path, error);
  if (error) cannot_write(path, "what is there cannot be kept as " + aside.string() + ": " + error.message());
  fs::rename(made, path, error);
  if (!error) return aside.string();
  std::error_code again;
  fs::rename(aside, path, again);
  cannot_write(path, error.message() + (again ? "; what was there is now " + aside.string() : ""));
}

}  // namespace

void check_output_file(const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw InputError("cannot write '" + path + "': " + why); };
  std::error_code error, ignored;
  const fs::file_status status = fs::status(path, error);
  if (error == std::errc::filename_too_long) refuse(error.message());
  if (fs::is_directory(status)) refuse("it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse("it is no regular file");
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, ignored)) refuse("there is no folder '" + folder.string() + "'");
  if (access(folder.c_str(), W_OK | X_OK) != 0) refuse("in its folder: " + std::string(std::strerror(errno)));
}

std::string write_output_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  const FileBeside made(path);
  std::ofstream out(made.path(), std::ios::binary);
  if (out) write(out);
  out.close();
  if (!out) cannot_write(path, std::strerror(errno));
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error)) && !same_bytes(path, made.path()))
    return put_in_place(made.path(), path);
  fs::rename(made.path(), path, error);
  if (error) cannot_write(path, error.message());
  return "";
}

}  // namespace nowsim
