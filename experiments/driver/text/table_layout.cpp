// From what columns need at the least to who stands beside whom.
#include "experiments/driver/text/table_layout.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/wrapped_text.hpp"

namespace nowsim {
namespace {

using Rows = std::vector<std::vector<std::string>>;

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

enum class Squeeze { sentences, heads_too };

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

/// As many columns to a block as there is room for; nothing where one alone is too wide.
std::optional<std::vector<TableBlock>> blocks_of(const std::vector<ColumnNeed>& needs, std::size_t keep,
                                                 std::size_t width) {
  std::vector<std::size_t> kept(std::min(keep, needs.size()));
  std::iota(kept.begin(), kept.end(), 0);
  std::size_t used_by_kept = 0;
  for (const std::size_t c : kept) used_by_kept += needs[c].least + kColumnGap;
  std::vector<TableBlock> blocks;
  std::size_t next = kept.size();
  do {
    std::vector<std::size_t> columns = kept;
    std::size_t used = used_by_kept;
    for (; next < needs.size() && used + needs[next].least + kColumnGap <= width; ++next) {
      used += needs[next].least + kColumnGap;
      columns.push_back(next);
    }
    if (used > width || (columns.size() == kept.size() && next < needs.size())) return std::nullopt;
    blocks.push_back(block_of(columns, needs, width));
  } while (next < needs.size());
  return blocks;
}

}  // namespace

std::optional<std::vector<TableBlock>> fitting_blocks(const Rows& rows, std::size_t keep, std::size_t width) {
  auto blocks = blocks_of(needs_of(rows, Squeeze::sentences), keep, width);
  return blocks ? blocks : blocks_of(needs_of(rows, Squeeze::heads_too), keep, width);
}

std::vector<TableBlock> whole_blocks(const Rows& rows, std::size_t keep, std::size_t width) {
  const std::vector<ColumnNeed> needs = needs_of(rows, Squeeze::sentences);
  std::vector<TableBlock> blocks;
  std::size_t next = keep;
  do {
    TableBlock block;
    std::size_t used = 0;
    const auto take = [&](std::size_t c) {
      block.columns.push_back(c);
      block.widths.push_back(needs[c].whole);
      used += needs[c].whole + kColumnGap;
    };
    for (std::size_t c = 0; c < keep; ++c) take(c);
    if (next < needs.size()) take(next++);
    while (next < needs.size() && used + needs[next].whole + kColumnGap <= width) take(next++);
    blocks.push_back(std::move(block));
  } while (next < needs.size());
  return blocks;
}

bool has_sentences(const Rows& rows, std::size_t column) {
  return std::any_of(rows.begin() + 1, rows.end(), [column](const std::vector<std::string>& row) {
    return column < row.size() && count_of_words(row[column]) >= 2;
  });
}

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

}  // namespace nowsim
