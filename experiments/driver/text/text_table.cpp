// Filling blocks of columns, line by line.
#include "experiments/driver/text/text_table.hpp"

#include <algorithm>
#include <limits>
#include <ostream>

#include "experiments/driver/text/ascii_text.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/table_layout.hpp"
#include "experiments/driver/text/wrapped_text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Where no terminal tells its own. Sentences at a line's end go on.
constexpr std::size_t kWidthElsewhere = 100, kAnyWidth = std::numeric_limits<std::size_t>::max();

Rows in_ascii_rows(Rows rows) {
  for (auto& row : rows)
    for (auto& cell : row) cell = ascii_text(cell);
  return rows;
}

/// A row of a block: cells of several lines stand beside each other. What is broken reads from the left.
class BlockRow {
 public:
  BlockRow(const std::vector<std::string>& row, const TableBlock& block, bool is_head,
           const std::vector<bool>& is_left)
      : block_(block), is_head_(is_head), is_left_(is_left) {
    for (std::size_t k = 0; k < block.columns.size(); ++k) {
      const std::string cell = block.columns[k] < row.size() ? row[block.columns[k]] : "";
      const std::size_t width = block.widths[k];
      if (is_head) cells_.push_back(wrapped_head(cell, width));
      else if (shown_width(cell) <= width) cells_.push_back({cell});
      else cells_.push_back(broken_lines(cell, width));
      height_ = std::max(height_, cells_.back().size());
    }
    if (!is_head) return;
    for (auto& lines : cells_) lines.insert(lines.begin(), height_ - lines.size(), "");  // heads end where figures begin
  }
  void write(std::ostream& out) const {
    for (std::size_t line = 0; line < height_; ++line) {
      std::string text;
      for (std::size_t k = 0; k < cells_.size(); ++k) text += std::string(kColumnGap, ' ') + padded(k, line);
      text.erase(text.find_last_not_of(' ') + 1);
      out << text << '\n';
    }
  }

 private:
  [[nodiscard]] std::string padded(std::size_t k, std::size_t line) const {
    const std::string part = line < cells_[k].size() ? cells_[k][line] : "";
    const std::string gap(block_.widths[k] - std::min(block_.widths[k], shown_width(part)), ' ');
    const bool is_broken = !is_head_ && cells_[k].size() > 1;
    return is_broken || is_left_[block_.columns[k]] ? part + gap : gap + part;
  }

  const TableBlock& block_;
  bool is_head_;
  const std::vector<bool>& is_left_;  // by column of the table
  std::vector<std::vector<std::string>> cells_;
  std::size_t height_ = 1;
};

std::vector<bool> left_columns(const Rows& rows, TableLook look) {
  std::vector<bool> is_left(rows.front().size(), false);
  if (look != TableLook::list) return is_left;
  is_left.back() = has_sentences(rows, is_left.size() - 1);
  is_left.front() = true;
  return is_left;
}

void write_block(const Rows& rows, const TableBlock& block, TableLook look, const std::vector<bool>& is_left,
                 std::ostream& out) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    BlockRow(rows[r], block, r == 0, is_left).write(out);
    if (r > 0 || look == TableLook::list) continue;
    for (const std::size_t width : block.widths) out << std::string(kColumnGap, ' ') << std::string(width, '-');
    out << '\n';
  }
}

/// Every row by itself, where there is no room for columns.
void write_row_by_row(const Rows& rows, std::size_t width, std::ostream& out) {
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (r > 1) out << '\n';
    for (std::size_t c = 0; c < rows[r].size() && c < rows.front().size(); ++c) {
      const std::string text = rows.front()[c] + ": " + rows[r][c];
      const auto lines = broken_lines(text, width - std::min<std::size_t>(width, 2 * kColumnGap));
      for (std::size_t line = 0; line < lines.size(); ++line)
        out << std::string(line == 0 ? kColumnGap : 2 * kColumnGap, ' ') << lines[line] << '\n';
    }
  }
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
  const Rows rows = wants_ascii(out) ? in_ascii_rows(rows_) : rows_;
  const std::size_t columns = columns_of(out);
  std::vector<bool> is_left = left_columns(rows, look_);
  const bool ends_in_sentences = is_left.back() && rows.front().size() > 1;
  for (const std::size_t column : left_) is_left.at(column) = true;
  const std::size_t elsewhere = ends_in_sentences ? kAnyWidth : kWidthElsewhere;
  const auto blocks = columns > 0 ? fitting_blocks(rows, keep, columns) : whole_blocks(rows, keep, elsewhere);
  if (!blocks) return write_row_by_row(rows, columns, out);
  for (std::size_t b = 0; b < blocks->size(); ++b) {
    if (b > 0) out << '\n';
    write_block(rows, (*blocks)[b], look_, is_left, out);
  }
}

void DefinitionList::write(std::ostream& out, std::size_t indent) const {
  constexpr std::size_t kReadableText = 20;
  auto all = lines_;
  std::size_t name_width = 0;
  for (auto& [name, text] : all) {
    if (wants_ascii(out)) name = ascii_text(name), text = ascii_text(text);
    name_width = std::max(name_width, shown_width(name));
  }
  const std::size_t begin = indent + name_width + kColumnGap, columns = columns_of(out);
  const bool is_below = columns > 0 && begin + kReadableText > columns;  // no room beside the names
  const std::size_t margin = is_below ? indent + kColumnGap : begin;
  for (const auto& [name, text] : all) {
    const auto lines = columns > margin ? broken_lines(text, columns - margin) : std::vector<std::string>{text};
    out << std::string(indent, ' ') << name;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const bool is_beside = k == 0 && !is_below;
      const std::size_t gap = is_beside ? begin - indent - shown_width(name) : margin;
      if (!lines[k].empty()) out << (is_beside ? "" : k == 0 ? "\n" : "") << std::string(gap, ' ') << lines[k];
      out << (k + 1 < lines.size() ? "\n" : "");
    }
    out << '\n';
  }
}

}  // namespace nowsim
