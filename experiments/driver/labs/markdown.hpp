// Markdown as parts of an HTML page, by cmark-gfm: raw HTML in it is left out.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// CommonMark and tables as HTML. HTML and dangerous addresses in it are left out.
std::string markdown_html(const std::string& markdown);

/// A text that somebody wrote, as Markdown that shows it as it is, on one line: no picture, link or emphasis of it.
std::string markdown_literal(const std::string& text);
/// What Markdown says, for a terminal: without its signs, a line for each paragraph or item.
std::vector<std::string> markdown_lines(const std::string& markdown);

/// What stands below a heading `## NAME`, or before the first one (name "").
struct MarkdownSection {
  std::string name, html;
};
/// A text cut at its headings of the second level.
std::vector<MarkdownSection> markdown_sections(const std::string& markdown);

}  // namespace nowsim
