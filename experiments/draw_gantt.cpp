// Running gnuplot on the script in a temporary folder.
#include "experiments/draw_gantt.hpp"

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

std::string draw_gantt(const Timeline& timeline, const std::string& title, PictureFormat format) {
  const TemporaryFolder folder;
  const fs::path script = folder.path() / "gantt.gp";
  std::ofstream out(script, std::ios::binary);
  out << gantt_script(timeline, title, format);
  out.close();
  if (!out) throw RunError(script.string() + " cannot be written: " + std::strerror(errno));
  run_gnuplot(folder.path(), {"-e", "output='picture'", "gantt.gp"}, {"picture"});
  std::ifstream in(folder.path() / "picture", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace nowsim
