// A label as it is read: characters, some of them lowered or raised, whoever shows it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nowsim {

/// How many characters of a label or a name are shown: of thousands no page could be made.
inline constexpr std::size_t kLongestLabel = 100;

/// Characters side by side: "" on the line, "_" lowered, "^" raised, "_^" raised beside what is lowered.
struct LabelPart {
  std::string text, shift;
};

/// What an axis, a curve or a value is called.
struct Label {
  std::vector<LabelPart> parts;

  Label() = default;
  /// This text as it is.
  Label(const std::string& text);
  Label(const char* text) : Label(std::string(text)) {}

  [[nodiscard]] bool empty() const { return parts.empty(); }
  /// Whether nothing is lowered or raised.
  [[nodiscard]] bool is_plain() const;
  /// The characters alone.
  [[nodiscard]] std::string text() const;
  /// How many they are.
  [[nodiscard]] std::size_t width() const;

  Label& operator+=(const Label& more);
};
Label operator+(Label first, const Label& second);

/// A label's small markup: names of Greek letters that stand alone (tau, sigma_T) become letters; `_` and `^` behind a
/// sign lower and raise what follows: {a group}, or letters and digits. Everything else is shown as it is; cut short.
Label label_of(const std::string& text);
/// "label [unit]".
Label with_unit(const Label& label, const std::string& unit);

/// As HTML: <sub> and <sup>, and &amp; &lt; &gt;.
std::string label_html(const Label& label);

/// With blanks in place of line ends, and none at both ends.
std::string one_line(std::string text);
/// A key, a value or a machine's name as it is shown: on one line, and cut short.
std::string short_name(const std::string& name);
/// Lines of at most `width` characters, broken at blanks and where the text has line breaks.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);
/// Lines of at most `width` characters, broken at blanks that are neither lowered nor raised.
std::vector<Label> label_lines(const Label& label, std::size_t width);
/// The label, cut short with an ellipsis where it has more than `width` characters.
Label shortened_label(const Label& label, std::size_t width);

}  // namespace nowsim
