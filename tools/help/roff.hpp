// A manual page as man reads it: roff with the macros of man(7).
#pragma once

#include <string>
#include <string_view>

namespace nowsim {

/// Running text.
std::string roff_text(std::string_view text);
/// Text to be typed or copied: its hyphens, quotes and carets stay what they are.
std::string roff_literal(std::string_view text);
/// The same in bold.
std::string roff_bold(std::string_view text);

/// The first line of every such page, a comment, by which it is known.
inline constexpr std::string_view kManPageMark = ".\\\" Made by nowsim: 'nowsim help --man DIR' writes it anew.";

/// Writes one. Inline text that it is handed is roff already.
class RoffPage {
 public:
  /// A page of that name and section; `source` is what it belongs to, such as "nowsim 0.1.0".
  RoffPage(const std::string& name, int section, const std::string& source);

  void heading(const std::string& text);
  void subheading(const std::string& text);
  /// A line of its own, such as that of the name.
  void plain_line(const std::string& inline_text);
  void paragraph(const std::string& inline_text);
  /// A term, and what is said of it beneath, further in.
  void item(const std::string& term, const std::string& inline_text);
  /// An item of a list: a bullet or a number stands before it.
  void listed(const std::string& mark, const std::string& inline_text);
  /// Lines that stay as they are.
  void lines(std::string_view text);
  /// What follows stands further in, until end_indent().
  void begin_indent();
  void end_indent();

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void macro(const std::string& line);
  void begin_paragraph();
  std::string text_;
};

}  // namespace nowsim
