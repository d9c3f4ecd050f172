// Pictures of a figure: its script beside the CSV, run by gnuplot.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

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

}  // namespace nowsim
