// Tables for LaTeX, as the package booktabs rules them.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace nowsim {

/// A text as LaTeX prints it, in the text of a document: characters that it would obey are escaped, a minus and signs
/// such as ± are set as in formulas. Letters beyond ASCII stay, as LaTeX reads UTF-8; control characters are shown.
std::string latex_text(std::string_view text);

/// What a text for people says: each of its tables (TextTable) as a tabular, columns of figures to the right, and the
/// lines around them as comments. @param text writes it to the stream it is given.
void write_latex(const std::function<void(std::ostream&)>& text, std::ostream& out);

}  // namespace nowsim
