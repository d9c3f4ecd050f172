// Running gnuplot on the script in a temporary folder.
#include "experiments/driver/pictures/draw_picture.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "experiments/driver/pictures/picture_check.hpp"
#include "experiments/driver/pictures/run_gnuplot.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/reproducible_pdf.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

void write_drawing_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw RunError(file.string() + " cannot be written: " + std::strerror(errno));
}

/// gnuplot does not look whether what it writes arrives.
std::string picture_in(const fs::path& file) {
  const std::string bytes = bytes_of(file);
  if (bytes.empty()) throw RunError("gnuplot made no " + file.filename().string());
  if (!is_whole_picture(bytes))
    throw RunError("gnuplot left " + file.filename().string() + " incomplete (" + std::to_string(bytes.size()) +
                   " bytes); is there room in " + file.parent_path().parent_path().string() + "?");
  return without_date(bytes);
}

}  // namespace

std::span<const PictureEnding> picture_endings() {
  static constexpr PictureEnding table[] = {
      {PictureFormat::svg, ".svg"}, {PictureFormat::png, ".png"}, {PictureFormat::pdf, ".pdf"}};
  return table;
}

std::vector<std::string> draw_pictures(const std::vector<DrawingFile>& files, const std::vector<std::string>& wanted) {
  const TemporaryFolder folder;
  for (const auto& file : files) write_drawing_file(folder.path() / file.name, file.text);
  run_gnuplot(folder.path(), "./" + files.front().name);
  std::vector<std::string> pictures;
  for (const auto& name : wanted) pictures.push_back(picture_in(folder.path() / name));
  return pictures;
}

std::string draw_picture(const std::string& script) {
  return draw_pictures({{"picture.gp", "output = 'picture'\n" + script}}, {"picture"}).front();
}

}  // namespace nowsim
