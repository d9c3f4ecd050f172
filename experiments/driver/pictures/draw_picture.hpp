// Pictures drawn by gnuplot from a script: without a shell, without its user's settings, and whole; those of a figure
// beside its CSV.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

struct Figure;
struct ResultTable;

enum class PictureFormat { svg, png, pdf };

/// A format, and how the names of its files end.
struct PictureEnding {
  PictureFormat format;
  const char* ending;
};
/// All formats, in the order in which figures are drawn.
std::span<const PictureEnding> picture_endings();

/// A file that gnuplot finds in its working folder.
struct DrawingFile {
  std::string name, text;
};
/// Has gnuplot run the first of the files in a temporary folder that holds them and nothing else; gives the bytes of
/// the pictures that it was to make there, each of them whole. PDFs bear no date.
/// @throws RunError where gnuplot is missing, fails or leaves a picture out or cut short, or no temporary file can be
/// made.
std::vector<std::string> draw_pictures(const std::vector<DrawingFile>& files, const std::vector<std::string>& wanted);

/// Has gnuplot run a script that draws into the file `output`, a gnuplot variable, in a temporary folder.
/// @throws RunError as draw_pictures().
std::string draw_picture(const std::string& script);

/// Whether these bytes are a whole SVG, PNG or PDF, as they begin: nothing is missing at the end or within; gnuplot takes
/// no notice of a file system without room. An SVG has to be well-formed as far as its tags and texts go, which no text
/// of a user's may change.
bool is_whole_picture(std::string_view bytes);

// ---- a figure's ----

/// What drawing a figure leaves in a folder.
struct FigureFiles {
  std::filesystem::path script;
  std::filesystem::path svg;
  std::filesystem::path png;
  std::filesystem::path pdf;
};

/// Writes a finished file where it belongs, as a whole. @throws RunError.
using PutFile = std::function<void(const std::filesystem::path& file, const std::string& bytes)>;
/// Another one that is there is kept under another name, as write_output_file() does.
void write_drawn_file(const std::filesystem::path& file, const std::string& bytes);

/// Writes NAME.gp into a folder that holds the results as NAME.csv, and has gnuplot make NAME.svg,
/// NAME.png and NAME.pdf of them. Each file appears whole or not at all: an interruption leaves the old one.
/// @throws RunError where there is nothing to draw, a file cannot be written, gnuplot is missing or fails; the script
/// and the CSV stay.
FigureFiles draw_figure(const Figure& figure, const ResultTable& summary, const std::filesystem::path& folder,
                        const std::string& name, const PutFile& put = write_drawn_file);

/// The picture that NAME.gp in a folder makes of NAME.csv, a quarter as large: a PNG's bytes. @throws RunError likewise.
std::string draw_thumbnail(const std::filesystem::path& folder, const std::string& name);

// ---- run_gnuplot.cpp ----

/// @throws RunError where there is no gnuplot.
void check_gnuplot();
/// Has gnuplot run a script in a folder, without what its user has set in files or in the environment.
/// @throws RunError where there is no gnuplot, or where it fails (with what it said).
void run_gnuplot(const std::filesystem::path& folder, const std::string& script);

}  // namespace nowsim
