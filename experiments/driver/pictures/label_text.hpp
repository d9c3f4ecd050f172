// Texts inside a gnuplot script: nothing a user writes may act as a command or as markup that was not meant.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// How many characters of a label or a name are shown: of thousands no page could be made.
inline constexpr std::size_t kLongestLabel = 100;

/// The only way for a text into a script: a gnuplot string constant. In single quotes, where gnuplot escapes nothing;
/// quotes, '`', '@', '#' and line breaks stand between by their numbers, since gnuplot substitutes macros and commands
/// before it reads strings. Other control characters become blanks, bytes that are no UTF-8 U+FFFD. Where gnuplot would make broken XML of a text (']]>', '&#27;') or of its number a
/// character ('\U+41'), a blank of no width stands within. Anything else is exactly this text.
std::string script_string(const std::string& text);
/// Whether that is exactly the text, so that gnuplot can compare it.
bool is_exact_in_script(const std::string& text);
/// A gnuplot string constant with the very bytes of the name of a file, which is shown nowhere.
std::string file_string(const std::string& name);
/// The same for the name of a tic, in which gnuplot takes % for the beginning of a number's format.
std::string tic_string(const std::string& text);

/// Text to be shown as it is by gnuplot's enhanced mode: markup characters are escaped.
std::string literal_text(const std::string& text);
/// With blanks in place of line ends, and none at both ends.
std::string one_line(std::string text);
/// A key, a value or a machine's name as it is shown: on one line, and cut short.
std::string short_name(const std::string& name);
/// The same for enhanced mode.
std::string name_text(const std::string& name);

/// A label's small markup in gnuplot's enhanced mode: names of Greek letters that stand alone (tau, sigma_T) become
/// letters; `_` and `^` behind a sign lower and raise what follows: {a group}, or letters and digits. Everything else
/// is shown as it is; cut short.
std::string label_text(const std::string& text);

/// How many characters of an enhanced text are shown.
std::size_t label_width(const std::string& enhanced);

/// Lines of at most `width` characters, broken at blanks and where the text has line breaks.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace nowsim
