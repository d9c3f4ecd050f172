// Tables of Markdown, which CommonMark does not have: found in a text, and cut into cells.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// A stretch of a text: a table's rows, the head first, or anything else.
struct MarkdownPiece {
  std::string text;                            ///< "" of a table
  std::vector<std::vector<std::string>> rows;  ///< empty: no table
};
/// Tables begin with a line `| a | b |` and one of dashes below it, and not inside of fenced code.
std::vector<MarkdownPiece> pieces_of(const std::string& markdown);

}  // namespace nowsim
