// Pages of the manual, which are Markdown, for a terminal.
#pragma once

#include <iosfwd>
#include <string>

namespace nowsim {

/// Writes a page: on a terminal paragraphs and items fill its lines, up to 100 characters, tables have columns that fit
/// it, and links to other pages are their words alone; examples, indented or between fences, stay as they are.
/// Elsewhere all of it does.
void write_page(const std::string& markdown, std::ostream& out);

}  // namespace nowsim
