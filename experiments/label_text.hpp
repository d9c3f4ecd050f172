// Texts inside a gnuplot script: nothing a user writes may act as a command or as markup that was not meant.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// A gnuplot string constant that holds exactly this text. In single quotes, where gnuplot neither substitutes
/// commands nor macros nor escapes; line breaks are put in between, other control characters become blanks.
std::string script_string(const std::string& text);

/// Text to be shown as it is by gnuplot's enhanced mode: markup characters are escaped.
std::string literal_text(const std::string& text);

/// A label's small markup in gnuplot's enhanced mode: names of Greek letters that stand alone (tau, sigma_T) become
/// letters; `_` and `^` behind a sign lower and raise what follows: {a group}, or letters and digits. Everything else
/// is shown as it is.
std::string label_text(const std::string& text);

/// How many characters of an enhanced text are shown.
std::size_t label_width(const std::string& enhanced);

/// Lines of at most `width` characters, broken at blanks and where the text has line breaks.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace nowsim
