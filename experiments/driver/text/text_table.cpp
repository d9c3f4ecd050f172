// Filling lines word by word, and blocks of columns line by line.
#include "experiments/driver/text/text_table.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <ostream>
#include <sstream>

#include "experiments/driver/text/stream_manner.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {

// ---- texts in lines of a width -------------------------------------------------------------------------------------

namespace {

/// How many bytes its first characters have.
std::size_t bytes_of_first(const std::string& word, std::size_t characters) {
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < word.size(); ++bytes)
    if ((word[bytes] & 0xC0) != 0x80 && ++seen > characters) break;
  return bytes;
}

}  // namespace

std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string shortened(const std::string& text, std::size_t most) {
  if (shown_width(text) <= most) return text;
  return text.substr(0, bytes_of_first(text, most - 1)) + "…";
}

namespace {

/// A word's beginning that fits: up to a mark in its second half, or all that there is room for.
std::string begin_that_fits(const std::string& word, std::size_t width) {
  const std::size_t most = bytes_of_first(word, width), mark = word.find_last_of("/._-,:=", most - 1);
  return word.substr(0, mark != word.npos && mark + 1 >= most / 2 ? mark + 1 : most);
}

}  // namespace

std::vector<std::string> broken_lines(const std::string& text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines(1);
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const std::size_t used = lines.back().empty() ? 0 : shown_width(lines.back()) + 1;
    if (used > 0 && used + shown_width(word) <= width) {
      lines.back() += " " + word;
      continue;
    }
    if (used > 0) lines.emplace_back();
    for (; shown_width(word) > width; lines.emplace_back()) {
      lines.back() = begin_that_fits(word, width);
      word.erase(0, lines.back().size());
    }
    lines.back() = word;
  }
  return lines;
}

std::size_t widest_word(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream in(text);
  for (std::string word; in >> word;) widest = std::max(widest, shown_width(word));
  return widest;
}

// ---- where the columns of a table go -------------------------------------------------------------------------------

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Columns stand two spaces apart, and two from the left edge.
constexpr std::size_t kColumnGap = 2;

/// Columns that stand beside each other, and their widths.
struct TableBlock {
  std::vector<std::size_t> columns, widths;
};

/// Narrower columns of sentences are hard to read.
constexpr std::size_t kReadable = 20;

/// How wide a column is as it is, and at the least.
struct ColumnNeed {
  std::size_t whole = 0, least = 0;
};

/// How many words; an estimate's parts, or a number and its unit, are none.
std::size_t count_of_words(const std::string& cell) {
  if (cell.find_first_of("0123456789+-") == 0) return 0;
  std::istringstream in(cell);
  std::size_t words = 0;
  for (std::string word; in >> word;) ++words;
  return words;
}

/// Words that may stand below one another.
bool is_sentence(const std::string& cell) { return count_of_words(cell) >= 3; }

std::string with_breaks(std::string head) {
  for (std::size_t at = 0; (at = head.find_first_of("._/-", at)) != head.npos; at += 2) head.insert(at + 1, " ");
  return head;
}

/// What may become narrower than it is.
enum class Squeeze { nothing, sentences, heads_too };

ColumnNeed need_of(const Rows& rows, std::size_t c, Squeeze squeeze) {
  const bool breaks_heads = squeeze == Squeeze::heads_too;
  ColumnNeed need{shown_width(rows.front()[c]),
                  breaks_heads ? widest_word(with_breaks(rows.front()[c])) : shown_width(rows.front()[c])};
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (c >= rows[r].size()) continue;
    const std::string& cell = rows[r][c];
    const std::size_t whole = shown_width(cell);
    need.whole = std::max(need.whole, whole);
    const std::size_t readable = breaks_heads ? std::min(widest_word(cell), kReadable)
                                              : std::max(widest_word(cell), kReadable);
    need.least = std::max(need.least, is_sentence(cell) ? std::min(whole, readable) : whole);
  }
  if (squeeze == Squeeze::nothing) need.least = need.whole;
  return need;
}

std::vector<ColumnNeed> needs_of(const Rows& rows, Squeeze squeeze) {
  std::vector<ColumnNeed> needs;
  for (std::size_t c = 0; c < rows.front().size(); ++c) needs.push_back(need_of(rows, c, squeeze));
  return needs;
}

/// What is left over beside the least that columns need goes to those that need more, to each as much.
TableBlock block_of(const std::vector<std::size_t>& columns, const std::vector<ColumnNeed>& needs, std::size_t width) {
  TableBlock block{columns, {}};
  std::size_t left = width, narrow = 0;
  for (const std::size_t c : columns) {
    left -= needs[c].least + kColumnGap;
    narrow += needs[c].whole > needs[c].least ? 1 : 0;
  }
  for (const std::size_t c : columns) {
    const std::size_t wanted = needs[c].whole - needs[c].least;
    const std::size_t given = wanted == 0 ? 0 : std::min(wanted, left / narrow--);
    left -= given;
    block.widths.push_back(needs[c].least + given);
  }
  return block;
}

/// As many columns to a block as there is room for. Where one alone is too wide: nothing, or a block that does not fit
/// where no column may become narrower.
std::optional<std::vector<TableBlock>> blocks_of(const Rows& rows, std::size_t keep, std::size_t width,
                                                 Squeeze squeeze) {
  const std::vector<ColumnNeed> needs = needs_of(rows, squeeze);
  std::vector<std::size_t> kept(std::min(keep, needs.size()));
  std::iota(kept.begin(), kept.end(), 0);
  std::size_t used_by_kept = 0;
  for (const std::size_t c : kept) used_by_kept += needs[c].least + kColumnGap;
  std::vector<TableBlock> blocks;
  std::size_t next = kept.size();
  do {
    std::vector<std::size_t> columns = kept;
    std::size_t used = used_by_kept;
    const auto is_forced = [&] { return squeeze == Squeeze::nothing && columns.size() == kept.size(); };
    for (; next < needs.size() && (is_forced() || used + needs[next].least + kColumnGap <= width); ++next) {
      used += needs[next].least + kColumnGap;
      columns.push_back(next);
    }
    const bool is_too_wide = used > width || (columns.size() == kept.size() && next < needs.size());
    if (is_too_wide && squeeze != Squeeze::nothing) return std::nullopt;
    blocks.push_back(block_of(columns, needs, width));
  } while (next < needs.size());
  return blocks;
}

/// On lines of at most so many characters. What has to become narrower for that does so in this order: cells of several
/// words break between words, columns go to further blocks, heads break. Nothing where that is not enough.
std::optional<std::vector<TableBlock>> fitting_blocks(const Rows& rows, std::size_t keep, std::size_t width) {
  auto blocks = blocks_of(rows, keep, width, Squeeze::sentences);
  return blocks ? blocks : blocks_of(rows, keep, width, Squeeze::heads_too);
}

/// Whether a column has cells of several words that may stand below one another: no estimates, no numbers with units.
bool has_sentences(const Rows& rows, std::size_t column) {
  return std::any_of(rows.begin() + 1, rows.end(), [column](const std::vector<std::string>& row) {
    return column < row.size() && count_of_words(row[column]) >= 2;
  });
}

/// A head in lines of at most so many characters: it breaks between words and behind one of `._/-`.
std::vector<std::string> wrapped_head(const std::string& head, std::size_t width) {
  if (shown_width(head) <= width) return {head};
  std::vector<std::string> lines{""};
  std::size_t at = 0;
  for (std::string piece; at < head.size(); at += piece.size()) {
    const std::size_t end = head.find_first_of(" ._/-", at);
    piece = head.substr(at, end == head.npos ? end : end + 1 - at);
    std::string line = lines.back() + piece;
    line.erase(line.find_last_not_of(' ') + 1);
    if (!lines.back().empty() && shown_width(line) > width) lines.emplace_back();
    lines.back() += piece;
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

// ---- filling blocks of columns, line by line -----------------------------------------------------------------------

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
  if (const TableWriter* writer = table_writer_of(out)) return (*writer)(rows, is_left);
  const std::size_t elsewhere = ends_in_sentences ? kAnyWidth : kWidthElsewhere;
  const auto blocks = columns > 0 ? fitting_blocks(rows, keep, columns)
                                  : blocks_of(rows, keep, elsewhere, Squeeze::nothing);
  if (!blocks) return write_row_by_row(rows, columns, out);
  for (std::size_t b = 0; b < blocks->size(); ++b) {
    if (b > 0) out << '\n';
    write_block(rows, (*blocks)[b], look_, is_left, out);
  }
}

void DefinitionList::write(std::ostream& out, std::size_t indent, std::size_t columns) const {
  auto all = lines_;
  std::size_t name_width = 0;
  for (auto& [name, text] : all) {
    if (wants_ascii(out)) name = ascii_text(name), text = ascii_text(text);
    name_width = std::max(name_width, shown_width(name));
  }
  if (columns_of(out) > 0) columns = columns_of(out);
  const std::size_t begin = indent + name_width + kColumnGap;
  const bool is_below = columns > 0 && begin + kReadable > columns;  // no room beside the names
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
