// Quoting for gnuplot, and a label's markup.
#include "experiments/driver/pictures/label_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// The letters' names, and the letters.
const std::map<std::string, std::string>& greek() {
  static const std::map<std::string, std::string> table{
      {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
      {"lambda", "λ"}, {"mu", "µ"},    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},
      {"phi", "φ"},    {"omega", "ω"}, {"Delta", "Δ"}, {"Sigma", "Σ"}};
  return table;
}

/// Reads a label from left to right.
class LabelReader {
 public:
  explicit LabelReader(const std::string& text) : text_(text) {}

  std::string read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_letter(c)) out_ += greek_or_same(take_while(is_letter));
      else if ((c == '_' || c == '^') && at_ > 0 && text_[at_ - 1] != ' ') shift(c);
      else out_ += literal_text(std::string(1, text_[at_++]));
    }
    return out_;
  }

 private:
  std::string take_while(bool (*fits)(char)) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && fits(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  static std::string greek_or_same(const std::string& word) {
    const auto found = greek().find(word);
    return found == greek().end() ? word : found->second;
  }
  /// A lowered or raised part.
  void shift(char how) {
    const std::size_t begin = at_++;
    std::string inner;
    if (const auto end = text_.find('}', at_); at_ < text_.size() && text_[at_] == '{' && end != std::string::npos) {
      inner = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      inner = take_while(is_word);
    }
    out_ += inner.empty() ? literal_text(text_.substr(begin, at_ - begin))
                          : std::string(1, how) + "{" + LabelReader(inner).read() + "}";
  }

  const std::string text_;
  std::size_t at_ = 0;
  std::string out_;
};

/// Where gnuplot's SVG terminal takes a text for XML, and enhanced mode for a character's number: it writes "]]>" and
/// "&#27;" as they are, and what has such a text is no XML.
bool would_act(std::string_view before, std::string_view next) {
  return (before.ends_with("]]") && next.starts_with('>')) ||
         (before.ends_with('&') && (next.starts_with('#') || is_letter(next.front()))) ||
         (before.ends_with('\\') && next.starts_with("U+"));
}

/// Without what a picture's reader would obey: control characters but line ends become blanks, bytes that are no
/// character U+FFFD, and what would act has a blank of no width (U+200B) within.
std::string without_effect(const std::string& text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Character c = first_character(rest);
    if (would_act(out, rest)) out += "\u200B";
    if (!c.is_whole) out += "\uFFFD";
    else if (is_control(c.code) && c.code != '\n') out += ' ';
    else out += rest.substr(0, c.bytes);
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

}  // namespace

bool is_exact_in_script(const std::string& text) { return without_effect(text) == text; }

std::string script_string(const std::string& text) { return string_constant(without_effect(text)); }

std::string file_string(const std::string& name) { return string_constant(name); }

std::string tic_string(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '%' ? "%%" : std::string(1, c);
  return script_string(out);
}

std::string literal_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string("{}_^&~@\\").find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return std::string(trimmed(text));
}

std::string short_name(const std::string& name) { return shortened(one_line(name), kLongestLabel); }

std::string name_text(const std::string& name) { return literal_text(short_name(name)); }

std::string label_text(const std::string& text) { return LabelReader(shortened(text, kLongestLabel)).read(); }

std::size_t label_width(const std::string& enhanced) {
  std::string shown;
  for (std::size_t i = 0; i < enhanced.size(); ++i) {
    if (enhanced[i] == '\\' && i + 1 < enhanced.size()) shown += enhanced[++i];
    else if (std::string("{}_^").find(enhanced[i]) == std::string::npos) shown += enhanced[i];
  }
  return shown_width(shown);
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string current;
    for (std::string word; words >> word;) {
      if (!current.empty() && shown_width(current) + 1 + shown_width(word) > width)
        out.push_back(std::exchange(current, ""));
      current += (current.empty() ? "" : " ") + word;
    }
    out.push_back(current);
  }
  return out;
}

}  // namespace nowsim
