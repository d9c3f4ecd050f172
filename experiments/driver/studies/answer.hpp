// What every question has: its experiment, made of flags; and its answer, which every writer takes: paragraphs for people,
// rows and all of it for programs, a picture.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/text_table.hpp"

namespace nowsim {

/// What stands together for people: a table, or lines, or lines right below a table.
struct Paragraph {
  TextTable table{{}};
  std::size_t kept = 0;  ///< columns that every block of the table repeats
  std::vector<std::string> lines;
};

/// Flat rows for programs, which are a file of their own where answers are kept.
struct AnswerRows {
  std::string ending;  ///< of the file's name: ".csv"
  Fields head;         ///< a row's fields without values
  List rows;           ///< objects, each with the fields of the head
};

/// Rows, one at least, by a function of their numbers.
template <class MakeFields>
AnswerRows rows_of(const std::string& ending, std::size_t rows, MakeFields fields) {
  return {ending, fields(0), {rows, [fields](std::size_t k) -> Value { return Object{fields(k)}; }}};
}

/// An answer. Rows, the whole and the picture refer to what it was made of, which it holds.
struct Answer {
  std::vector<Paragraph> paragraphs;  ///< with a blank line between two
  std::vector<AnswerRows> tables;     ///< the first is that of --format csv
  Value whole;                        ///< nested, for JSON
  std::function<std::string(PictureFormat)> script;  ///< throws RunError where there is nothing to draw
  bool is_drawn_unasked = true;       ///< whether a folder has its pictures
  bool has_failures = false;
  std::shared_ptr<const void> made_of;

  /// Adds a paragraph: lines, none where there are none; a table, with lines right below it, none without a head.
  void say(std::vector<std::string> lines);
  void show(TextTable table, std::size_t kept, std::vector<std::string> below = {});
};

void write_answer(const Answer& answer, Format format, std::ostream& out);

// ---- its picture: a gnuplot script, of a figure's panels; it draws into the file `output`, a gnuplot variable ---------

/// Without panels yet.
ResolvedFigure picture_of(const char* kind, const std::string& title, const std::string& footer, PictureFormat format);
/// "100 replications, bars: 95 % confidence".
std::string counts_with_bars(const Provenance& provenance);
ResolvedAxis axis_from(double least, double most, const Label& label);
/// Five tics or fewer at round numbers, which keep apart.
void add_round_tics(ResolvedAxis& axis);
ResolvedCurve curve_of(std::size_t series, Shape shape, std::vector<ResolvedPoint> points);
/// The same of each stretch of points between those whose y is NaN.
void add_stretches(std::vector<ResolvedCurve>& curves, std::size_t series, Shape shape, const std::vector<ResolvedPoint>& points);

// ---- the question ---------------------------------------------------------------------------------------------------

/// A key of the experiment, and what stands for it on the command line: a flag, "--work", or a word.
struct AskedKey {
  std::string key, flag;
};

/// Sets a dotted key of the document to a plain value.
void set_text(YamlNode& document, const std::string& key, const std::string& text, bool is_quoted = false);

/// The experiment of a document. What is wrong with a key that a flag stands for is said of the flag.
/// @throws what load_experiment throws.
Experiment load_asked(YamlNode document, const std::string& file, const LoadOptions& options,
                      const Registries& registries, const std::vector<AskedKey>& keys);

/// Whether a dotted key is a block or of it.
bool is_within(const std::string& key, const std::string& block);

}  // namespace nowsim
