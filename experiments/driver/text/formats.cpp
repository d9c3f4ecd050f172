// Escaping character by character, and reading field by field.
#include "experiments/driver/text/formats.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// "-0.5", "+3 s", "-0.86 ± 0.03 to -0.84": a number with nothing behind it that could be calculated or called.
bool is_signed_quantity(std::string_view text) {
  if (text.size() < 2 || (text.front() != '+' && text.front() != '-')) return false;
  text.remove_prefix(1);
  if (text.front() != '.' && std::isdigit(static_cast<unsigned char>(text.front())) == 0) return false;
  double ignored = 0;
  const auto [end, error] = number_from_chars(text.data(), text.data() + text.size(), ignored);
  if (error == std::errc::invalid_argument) return false;
  const std::string_view rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  return (rest.empty() || std::string_view("+-*/^&<>=:").find(rest.front()) == std::string_view::npos) &&
         rest.find_first_of("(|!") == std::string_view::npos;
}

/// Also behind apostrophes.
bool would_be_formula(const std::string& text) {
  const std::size_t begin = text.find_first_not_of('\'');
  if (begin == std::string::npos || std::string_view("=+-@\t").find(text[begin]) == std::string_view::npos)
    return false;
  return begin > 0 || !is_signed_quantity(text);
}

}  // namespace

std::string spreadsheet_text(const std::string& text) { return would_be_formula(text) ? "'" + text : text; }

std::string csv_field(const std::string& text) {
  const std::string safe = spreadsheet_text(shown_text(text));
  if (safe.find_first_of(",\"\n") == std::string::npos) return safe;
  std::string out = "\"";
  for (const char c : safe) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Character c = first_character(rest);
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c.is_whole ? c.code & 0xFFFFU : 0xFFFDU));
    if (c.code == '"' || c.code == '\\')
      (out += '\\') += rest.front();
    else if (!c.is_whole || is_control(c.code))
      out += escape;
    else
      out += rest.substr(0, c.bytes);
    rest.remove_prefix(c.bytes);
  }
  return out + "\"";
}

std::string csv_number(double value) { return std::isnan(value) ? "" : number_text(value); }

std::string json_number(double value) { return std::isfinite(value) ? number_text(value) : "null"; }

namespace {

using Row = std::vector<std::string>;

/// The text that spreadsheet_text() was given.
std::string without_spreadsheet_mark(const std::string& text) {
  return text.starts_with('\'') && would_be_formula(text.substr(1)) ? text.substr(1) : text;
}

class CsvReader {
 public:
  CsvReader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] int line() const { return line_; }

  Row row() {
    Row row{field()};
    while (!at_end() && text_[at_] == ',') {
      ++at_;
      row.push_back(field());
    }
    if (!at_end() && text_[at_] == '\r') ++at_;
    if (!at_end() && text_[at_] == '\n') ++at_, ++line_;
    return row;
  }

 private:
  std::string field() { return without_spreadsheet_mark(written_field()); }

  std::string written_field() {
    if (!at_end() && text_[at_] == '"') return quoted_field();
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string quoted_field() {
    const int begin = line_;
    std::string out;
    for (++at_; !at_end(); ++at_) {
      line_ += text_[at_] == '\n' ? 1 : 0;
      if (text_[at_] != '"')
        out += text_[at_];
      else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"')
        out += text_[++at_];
      else
        return ++at_, out;
    }
    throw InputError(Place{file_, begin, ""}, "a quote is not closed");
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

CsvRows parse_csv(const std::string& text, const std::string& file) {
  CsvReader reader(text, file);
  if (reader.at_end()) throw InputError(Place{file, 1, ""}, "this is no CSV: it is empty");
  CsvRows csv{reader.row(), {}};
  while (!reader.at_end()) {
    const int line = reader.line();
    csv.rows.push_back(reader.row());
    if (csv.rows.back().size() != csv.head.size())
      throw InputError(Place{file, line, ""}, "the row has " + std::to_string(csv.rows.back().size()) +
                                                  " fields, and the head has " + std::to_string(csv.head.size()));
  }
  return csv;
}

}  // namespace nowsim
