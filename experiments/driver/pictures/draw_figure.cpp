#include "experiments/driver/pictures/draw_figure.hpp"

#include <ostream>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

std::string results_in(const fs::path& csv) {
  try {
    return read_user_file(csv.string(), kMostDataBytes);
  } catch (const InputError& e) {
    throw RunError("the results " + csv.string() + " are not there, so the figure cannot be drawn (" + e.what() + ")");
  }
}

}  // namespace

void write_drawn_file(const fs::path& file, const std::string& bytes) {
  write_output_file(file.string(), [&](std::ostream& out) { out << bytes; });
}

FigureFiles draw_figure(const Figure& figure, const ResultTable& summary, const fs::path& folder, const std::string& name,
                        const PutFile& put) {
  if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string("/\n\0", 3)) != std::string::npos)
    throw RunError(quoted(name) + " cannot be a figure's file name");
  const std::string script = figure_script(figure, summary, name);
  const FigureFiles files{folder / (name + ".gp"), folder / (name + ".svg"), folder / (name + ".png"),
                          folder / (name + ".pdf")};
  put(files.script, script);
  const std::string csv = results_in(folder / (name + ".csv"));
  std::vector<std::string> pictures;
  try {
    pictures =
        draw_pictures({{name + ".gp", script}, {name + ".csv", csv}}, {name + ".svg", name + ".png", name + ".pdf"});
  } catch (const RunError& e) {
    throw RunError("the figure " + files.png.string() + " was not drawn: " + e.what() + "; its script " +
                   files.script.string() + " and its CSV are kept");
  }
  put(files.svg, pictures[0]);
  put(files.png, pictures[1]);
  put(files.pdf, pictures[2]);
  return files;
}

std::string draw_thumbnail(const fs::path& folder, const std::string& name) {
  constexpr const char* kSmall = "kinds = 'png'\nscale = 0.26\n";
  const std::string script = kSmall + read_user_file((folder / (name + ".gp")).string(), kMostDataBytes);
  return draw_pictures({{name + ".gp", script}, {name + ".csv", results_in(folder / (name + ".csv"))}}, {name + ".png"})
      .front();
}

}  // namespace nowsim
