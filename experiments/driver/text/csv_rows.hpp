// CSV as nowsim writes it, read back.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// A table with a head.
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
