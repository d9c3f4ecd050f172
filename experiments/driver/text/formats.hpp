// Texts and numbers as CSV and JSON have them, which have no word for what is unknown; CSV read back.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// A text that spreadsheets would take for a formula (it begins with =, +, - or @) with an apostrophe before it, which
/// they take for the sign of a text; one that has apostrophes before such a beginning gets another, so that none is lost
/// on reading. Anything else, and a number such as -0.5, +3 s or -0.86 ± 0.03, is as it was.
std::string spreadsheet_text(const std::string& text);

/// A CSV field: what would be a formula defused (spreadsheet_text()), control characters shown (\x1b) but for line ends
/// and tabs, in quotes where it has to be.
std::string csv_field(const std::string& text);

/// A JSON string with its quotes, in ASCII where a terminal would obey a character; bytes that are no UTF-8 are U+FFFD.
std::string json_text(const std::string& text);

/// A number with the digits that tell it from all others; of what is unknown nothing in CSV, and null in JSON, which has
/// no infinity either.
std::string csv_number(double value);
std::string json_number(double value);

struct CsvRows {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the head
};

/// Parses RFC 4180: fields between commas, in double quotes where they hold commas, quotes (doubled) or line
/// ends; without what csv_field() puts before a formula.
/// @throws InputError naming file and line where a row is not as long as the head, a quote is not closed, or there is
/// no head.
CsvRows parse_csv(const std::string& text, const std::string& file);

}  // namespace nowsim
