// The manual's Markdown, by cmark-gfm's tree, for terminals and for man.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace nowsim {

/// Writes CommonMark with tables: on a terminal paragraphs and items fill its lines, up to 100 characters, tables have
/// columns that fit it, and links to other pages are their words alone; examples, indented or between fences, stay as
/// they are. Elsewhere all of it does.
void write_page(const std::string& markdown, std::ostream& out);

/// Which of a page's parts are wanted, and what its links say.
struct MarkdownWishes {
  /// By the heading of the second level that a part stands under; "" is what stands before the first one.
  std::function<bool(const std::string& heading)> takes = [](const std::string&) { return true; };
  /// What is said, as Markdown, in brackets behind the text of a link to a file or an address; "" for nothing.
  std::function<std::string(const std::string& target)> says_of_link = [](const std::string&) { return std::string(); };
};

/// CommonMark with tables as roff, by the macros of man(7). Code is bold, and pictures are left out. Of a table with
/// two columns the first is the term and the second what is said of it; of one with more each cell stands behind its
/// column's head, and as many columns are the term as tell rows apart. One whose heads come again is read downwards.
std::string roff_of(const std::string& markdown, const MarkdownWishes& wishes = {});

}  // namespace nowsim
