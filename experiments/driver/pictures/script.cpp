#include "experiments/driver/pictures/script.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>

#include "experiments/driver/text/formats.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// Where gnuplot's SVG terminal takes a text for XML, and enhanced mode for a character's number: it writes "]]>" and
/// "&#27;" as they are, and what has such a text is no XML.
bool would_act(std::string_view before, std::string_view next) {
  const auto is_alphabetic = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  return (before.ends_with("]]") && next.starts_with('>')) ||
         (before.ends_with('&') && (next.starts_with('#') || is_alphabetic(next.front()))) ||
         (before.ends_with('\\') && next.starts_with("U+"));
}

/// Without what a picture's reader would obey: control characters but line ends become blanks, bytes that are no
/// character U+FFFD, and what would act has a blank of no width (U+200B) within.
std::string without_effect(const std::string& text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Character c = first_character(rest);
    if (would_act(out, rest)) out += "\u200B";
    if (!c.is_whole)
      out += "\uFFFD";
    else if (is_control(c.code) && c.code != '\n')
      out += ' ';
    else
      out += rest.substr(0, c.bytes);
    rest.remove_prefix(c.bytes);
  }
  return out;
}

/// What gnuplot looks for in a line before it reads any string: macros, commands to substitute, the quotes by which it
/// keeps account of both, comments; and control characters.
bool is_looked_for(char c) {
  return static_cast<unsigned char>(c) < 32 || c == 127 || std::string_view("'\"`@#").find(c) != std::string_view::npos;
}

/// gnuplot's constant for these bytes: in single quotes, where it escapes nothing, and what it looks for by number
/// between them, so that no quote, macro or command stands in a script because a text has it.
std::string string_constant(const std::string& bytes) {
  std::string out = "'";
  for (const char c : bytes) {
    char number[24];
    std::snprintf(number, sizeof number, "'.\"\\%03o\".'", static_cast<unsigned>(c) & 255U);
    out += is_looked_for(c) ? number : std::string(1, c);
  }
  return out + "'";
}

/// The empty group before a backslash is markup: without any in a text, pngcairo would draw both backslashes.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "{}";
    if (std::string_view("{}_^&~@\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string script_string(const std::string& text) { return string_constant(without_effect(text)); }

std::string file_string(const std::string& name) { return string_constant(name); }

std::string tic_string(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '%' ? "%%" : std::string(1, c);
  return script_string(out);
}

std::string enhanced(const Label& label) {
  std::string out, open;  // the groups that are open
  for (const auto& [text, shift] : label.parts) {
    const auto [own, other] = std::ranges::mismatch(open, shift);
    auto common = static_cast<std::size_t>(own - open.begin());
    if (common > 0 && open == shift) --common;  // a group of its own, as in x_1_2
    out += std::string(open.size() - common, '}');
    for (const char how : shift.substr(common)) out += std::string(1, how) + "{";
    out += escaped(text);
    open = shift;
  }
  return out + std::string(open.size(), '}');
}

bool is_read_back(const std::string& text) {
  return !text.empty() && text != "NaN" && !text.starts_with("END_OF_") && one_line(text) == text &&
         text.find_first_of("\"#") == std::string::npos && without_effect(text) == text &&
         spreadsheet_text(text) == text;
}

std::string script_number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4f", x);
  return text;
}

}  // namespace nowsim
