// What every question returns, and every writer takes: paragraphs for people, rows and all of it for programs, a picture.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
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

}  // namespace nowsim
