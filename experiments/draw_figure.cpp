// Running gnuplot on a figure's script, without a shell, in a folder of its own until the pictures are whole.
#include "experiments/draw_figure.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "experiments/figure_script.hpp"
#include "experiments/run_gnuplot.hpp"
#include "sim/error.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

/// An empty folder inside another; removed with what is left in it. Its name is always the same, so that what a
/// killed process has left goes with the next one.
class ScratchFolder {
 public:
  explicit ScratchFolder(const fs::path& parent) : path_(parent / ".nowsim-drawing") {
    std::error_code error;
    fs::remove_all(path_, error);
    if (!fs::create_directory(path_, error))
      throw RunError("no file can be made in " + parent.string() + ": " + (error ? error.message() : "it is in use"));
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw RunError(file.string() + " cannot be written: " + std::strerror(errno));
}

/// Has gnuplot draw into the scratch folder.
void draw_into(const fs::path& folder, const fs::path& scratch, const std::string& name) {
  const fs::path prefix = scratch.filename();  // of harmless letters
  run_gnuplot(folder, {"-e", "folder='" + prefix.string() + "/'", "./" + name + ".gp"},
              {prefix / (name + ".svg"), prefix / (name + ".png"), prefix / (name + ".pdf")});
}

}  // namespace

void move_into_place(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw RunError(to.string() + " cannot be written: " + error.message());
}

FigureFiles draw_figure(const Figure& figure, const Summary& summary, const fs::path& folder, const std::string& name,
                        const PutInPlace& put) {
  if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string("/\n\0", 3)) != std::string::npos)
    throw RunError(quoted(name) + " cannot be a figure's file name");
  const std::string script = figure_script(figure, summary, name);
  const FigureFiles files{folder / (name + ".gp"), folder / (name + ".svg"), folder / (name + ".png"),
                          folder / (name + ".pdf")};
  const ScratchFolder scratch(folder);
  write_file(scratch.path() / "script", script);
  put(scratch.path() / "script", files.script);
  if (!is_there(folder / (name + ".csv")))
    throw RunError("the results " + (folder / (name + ".csv")).string() +
                   " are not there, so the figure cannot be drawn");
  try {
    draw_into(folder, scratch.path(), name);
  } catch (const RunError& e) {
    throw RunError("the figure " + files.png.string() + " was not drawn: " + e.what() + "; its script " +
                   files.script.string() + " and its CSV are kept");
  }
  put(scratch.path() / (name + ".svg"), files.svg);
  put(scratch.path() / (name + ".png"), files.png);
  put(scratch.path() / (name + ".pdf"), files.pdf);
  return files;
}

}  // namespace nowsim
