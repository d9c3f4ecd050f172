// Pictures' bytes, drawn by gnuplot from a script: without a shell, without its user's settings, and whole.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

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

// ---- run_gnuplot.cpp ----

/// @throws RunError where there is no gnuplot.
void check_gnuplot();
/// Has gnuplot run a script in a folder, without what its user has set in files or in the environment.
/// @throws RunError where there is no gnuplot, or where it fails (with what it said).
void run_gnuplot(const std::filesystem::path& folder, const std::string& script);

}  // namespace nowsim
