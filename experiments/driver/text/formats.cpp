// Escaping character by character.
#include "experiments/driver/text/formats.hpp"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <system_error>

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

std::string without_spreadsheet_mark(const std::string& text) {
  return text.starts_with('\'') && would_be_formula(text.substr(1)) ? text.substr(1) : text;
}

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

}  // namespace nowsim
