// Texts, numbers and estimates as CSV and JSON have them, which have no word for what is unknown.
#pragma once

#include <string>

namespace nowsim {

/// A text that spreadsheets would take for a formula (it begins with =, +, - or @) with an apostrophe before it, which
/// they take for the sign of a text; one that has apostrophes before such a beginning gets another, so that none is lost
/// on reading. Anything else, and a number such as -0.5, +3 s or -0.86 ± 0.03, is as it was.
std::string spreadsheet_text(const std::string& text);
/// The text that spreadsheet_text() was given.
std::string without_spreadsheet_mark(const std::string& text);

/// A CSV field: what would be a formula defused (spreadsheet_text()), control characters shown (\x1b) but for line ends
/// and tabs, in quotes where it has to be.
std::string csv_field(const std::string& text);

/// A JSON string with its quotes, in ASCII where a terminal would obey a character; bytes that are no UTF-8 are U+FFFD.
std::string json_text(const std::string& text);

/// A number with the digits that tell it from all others; of what is unknown nothing in CSV, and null in JSON, which has
/// no infinity either.
std::string csv_number(double value);
std::string json_number(double value);

}  // namespace nowsim
