// Filling columns, block by block.
#include "experiments/driver/text/text_table.hpp"

#include <algorithm>
#include <ostream>

#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kWidth = 100;

std::size_t take(std::size_t c, const std::vector<std::size_t>& widths, std::vector<std::size_t>& columns) {
  columns.push_back(c);
  return widths[c] + 2;
}

}  // namespace

std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string shortened(const std::string& text, std::size_t most) {
  if (shown_width(text) <= most) return text;
  std::size_t bytes = 0, shown = 0;
  for (; bytes < text.size(); ++bytes)
    if ((text[bytes] & 0xC0) != 0x80 && ++shown == most) break;
  return text.substr(0, bytes) + "…";
}

void TextTable::add(std::vector<std::string> row) {
  for (auto& cell : row) cell = shown_line(cell);
  rows_.push_back(std::move(row));
}

void TextTable::write(std::ostream& out, std::size_t keep) const {
  if (rows_.front().empty()) return;
  const auto widths = column_widths();
  std::size_t next = keep;
  do {
    std::vector<std::size_t> columns;
    std::size_t width = 0;
    for (std::size_t c = 0; c < keep; ++c) width += take(c, widths, columns);
    do width += next < widths.size() ? take(next++, widths, columns) : 0;
    while (next < widths.size() && width + widths[next] + 2 <= kWidth);
    write_block(out, columns, widths);
    if (next < widths.size()) out << '\n';
  } while (next < widths.size());
}

std::vector<std::size_t> TextTable::column_widths() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], shown_width(row[c]));
  return widths;
}

void TextTable::write_row(std::ostream& out, const std::vector<std::string>& row,
                          const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t c : columns) {
    const std::string cell = c < row.size() ? row[c] : "", gap(widths[c] - shown_width(cell), ' ');
    line += "  " + (c == 0 && look_ == TableLook::list ? cell + gap : gap + cell);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

void TextTable::write_block(std::ostream& out, const std::vector<std::size_t>& columns,
                            const std::vector<std::size_t>& widths) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    write_row(out, rows_[r], columns, widths);
    if (r > 0 || look_ == TableLook::list) continue;
    for (std::size_t c : columns) out << "  " << std::string(widths[c], '-');
    out << '\n';
  }
}

}  // namespace nowsim
