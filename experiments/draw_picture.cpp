// Running gnuplot on the script in a temporary folder.
#include "experiments/draw_picture.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "experiments/run_gnuplot.hpp"
#include "sim/error.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

/// A new folder among the system's temporary files; removed with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "nowsim-XXXXXX").string();
    if (error || mkdtemp(pattern.data()) == nullptr)
      throw RunError("no temporary folder can be made to draw in: " + (error ? error.message() : std::strerror(errno)));
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::span<const PictureEnding> picture_endings() {
  static constexpr PictureEnding table[] = {
      {PictureFormat::svg, ".svg"}, {PictureFormat::png, ".png"}, {PictureFormat::pdf, ".pdf"}};
  return table;
}

std::string draw_picture(const std::string& script) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "picture.gp";
  std::ofstream out(file, std::ios::binary);
  out << script;
  out.close();
  if (!out) throw RunError(file.string() + " cannot be written: " + std::strerror(errno));
  run_gnuplot(folder.path(), {"-e", "output='picture'", "picture.gp"}, {"picture"});
  std::ifstream in(folder.path() / "picture", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace nowsim
