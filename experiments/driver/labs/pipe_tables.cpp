// Looking at lines, two at a time.
#include "experiments/driver/labs/pipe_tables.hpp"

#include <sstream>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using TableLines = std::vector<std::string>;

bool is_table_row(const std::string& line) { return line.starts_with("|"); }

/// `|---|---:|`
bool is_ruling(const std::string& line) {
  return is_table_row(line) && line.find("--") != line.npos && line.find_first_not_of("|-: \t\r") == line.npos;
}

/// What stands between bars; `\|` is a bar of a cell's own.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|')
      cells.back() += line[++i];
    else if (line[i] == '|')
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  if (trimmed(cells.back()).empty()) cells.pop_back();
  for (std::string& cell : cells) cell = trimmed(cell);
  return cells;
}

TableLines lines_in(const std::string& text) {
  TableLines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<MarkdownPiece> pieces_of(const std::string& markdown) {
  const TableLines lines = lines_in(markdown);
  std::vector<MarkdownPiece> pieces(1);
  bool is_code = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("```")) is_code = !is_code;
    if (is_code || !is_table_row(lines[i]) || i + 1 == lines.size() || !is_ruling(lines[i + 1])) {
      pieces.back().text += lines[i] + "\n";
      continue;
    }
    MarkdownPiece table{"", {cells_of(lines[i])}};
    for (i += 2; i < lines.size() && is_table_row(lines[i]); ++i) table.rows.push_back(cells_of(lines[i]));
    --i;
    pieces.push_back(std::move(table));
    pieces.emplace_back();
  }
  return pieces;
}

}  // namespace nowsim
