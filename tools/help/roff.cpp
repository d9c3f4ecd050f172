// Escapes as groff_man_style(7) wants them.
#include "tools/help/roff.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace nowsim {
namespace {

constexpr std::string_view kSmall = "abcdefghijklmnopqrstuvwxyz", kCapital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::string in_capitals(std::string text) {
  for (char& c : text)
    if (const auto at = kSmall.find(c); at != kSmall.npos) c = kCapital[at];
  return text;
}

/// With each of some characters replaced.
std::string escaped(std::string_view text, bool is_literal) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else if (c == '`' && is_literal)
      out += "\\(ga";
    else if (c == '\'' && is_literal)
      out += "\\(aq";
    else if (c == '-' && is_literal)
      out += "\\-";
    else
      out += c;
  }
  return out;
}

/// A line that roff does not take for a request.
std::string harmless(const std::string& line) {
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

/// With line ends in place of blanks, where lines would get long.
std::string filled(const std::string& text) {
  constexpr std::size_t kMost = 79;
  std::string out, line, word;
  const auto end_word = [&] {
    if (!line.empty() && line.size() + 1 + word.size() > kMost) out += harmless(std::exchange(line, "")) + '\n';
    line += (line.empty() ? "" : " ") + std::exchange(word, "");
  };
  for (const char c : text) {
    if (c == ' ' && !word.empty()) {
      end_word();
    } else if (c == '\n') {
      end_word();
      out += (line == ".br" ? std::exchange(line, "") : harmless(std::exchange(line, ""))) + '\n';
    } else {
      word += c;
    }
  }
  end_word();
  return out + harmless(line) + '\n';
}

}  // namespace

std::string roff_text(std::string_view text) { return escaped(text, false); }
std::string roff_literal(std::string_view text) { return escaped(text, true); }
std::string roff_bold(std::string_view text) { return "\\fB" + roff_literal(text) + "\\fR"; }

RoffPage::RoffPage(const std::string& name, int section, const std::string& source)
    : text_(std::string(kManPageMark) + '\n') {
  macro(".TH " + roff_literal(in_capitals(name)) + ' ' + std::to_string(section) + " \"\" \"" + source +
        "\" \"nowsim\"");
  macro(".nr HY 0");  // words that are typed stay whole: paragraphs look at this
  macro(".nh");
  macro(".ad l");
}

void RoffPage::macro(const std::string& line) { text_ += line + '\n'; }
void RoffPage::plain_line(const std::string& inline_text) { text_ += harmless(inline_text) + '\n'; }

namespace {

/// An argument of a macro, which ends at a quote.
std::string argument(std::string text) {
  for (auto at = text.find('"'); at != text.npos; at = text.find('"', at + 4)) text.replace(at, 1, "\\(dq");
  return '"' + text + '"';
}

}  // namespace

void RoffPage::heading(const std::string& text) { macro(".SH " + argument(text)); }
void RoffPage::subheading(const std::string& text) { macro(".SS " + argument(text)); }

void RoffPage::begin_paragraph() {
  const auto last_line = text_.rfind('\n', text_.size() - 2) + 1;
  if (text_.compare(last_line, 2, ".S") != 0) macro(".PP");  // a heading begins one
}

void RoffPage::paragraph(const std::string& inline_text) {
  begin_paragraph();
  text_ += filled(inline_text);
}

void RoffPage::item(const std::string& term, const std::string& inline_text) {
  macro(".TP");
  plain_line(term);
  text_ += inline_text.empty() ? "\\&\n" : filled(inline_text);
}

void RoffPage::listed(const std::string& mark, const std::string& inline_text) {
  macro(".IP " + argument(mark) + " 3");
  text_ += filled(inline_text);
}

void RoffPage::lines(std::string_view text) {
  begin_paragraph();
  macro(".RS 2");
  macro(".EX");
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) plain_line(roff_literal(line));
  macro(".EE");
  macro(".RE");
}

void RoffPage::begin_indent() { macro(".RS"); }
void RoffPage::end_indent() { macro(".RE"); }

}  // namespace nowsim
