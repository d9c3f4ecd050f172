// Ranking by shares of the way, and telling it.
#include "experiments/driver/labs/board.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "experiments/driver/labs/answer_text.hpp"
#include "experiments/driver/labs/lab_pages.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kBoardWidth = 92;
constexpr std::size_t kIdColumn = 1;

bool is_same(const Estimate& a, const Estimate& b) { return a.value == b.value && a.low == b.low && a.high == b.high; }

Board& board_of(std::vector<Board>& boards, const GradedFolder& f, const GradedAnswer& a) {
  const auto found =
      std::ranges::find_if(boards, [&](const Board& b) { return b.lab == f.lab && b.question == a.question; });
  if (found != boards.end()) return *found;
  return boards.emplace_back(Board{f.lab, a.question, a.score_unit, a.none, a.full, {}});
}

void rank_rows(Board& board) {
  std::ranges::stable_sort(board.rows,
                           [](const BoardRow& a, const BoardRow& b) { return a.share.value > b.share.value; });
  for (BoardRow& row : board.rows)
    row.rank = 1 + static_cast<std::size_t>(std::ranges::count_if(
                       board.rows, [&](const BoardRow& other) { return other.share.low > row.share.high; }));
}

/// Shares below it are rounding.
constexpr double kNoShare = 1e-9;

std::string share_text(const Estimate& share) {
  if (std::abs(share.value) < kNoShare && share.half_width() < kNoShare) return "0 %";
  return estimate_text({100 * share.value, 100 * share.low, 100 * share.high}) + " %";
}

/// The head, students, and what they are scored against.
TextRows board_cells(const Board& board, const Texts& texts) {
  TextRows cells{
      {texts.say("board.rank"), texts.say("board.id"), texts.say("board.share"), texts.say("board.score")}};
  std::vector<std::string> ids;
  for (const BoardRow& row : board.rows) ids.push_back(row.id);
  const auto shown = names_told_apart(ids);
  for (const BoardRow& row : board.rows)
    cells.push_back(
        {std::to_string(row.rank), shown.at(row.id), share_text(row.share), shown_number(row.score, board.unit)});
  const auto baseline = [&](const char* key, double share, const Estimate& score) {
    cells.push_back({"-", texts.say(key), share_text(exactly(share)),
                     std::isfinite(score.value) ? shown_number(score, board.unit) : "-"});
  };
  baseline("board.full-row", 1, board.full);
  baseline("board.none-row", 0, board.none);
  return cells;
}

std::string board_heading(const Board& board, const Texts& texts) {
  return texts.say("board.heading", {{"lab", board.lab}, {"question", board.question}});
}

}  // namespace

std::vector<Board> boards_of(const std::vector<GradedFolder>& folders) {
  std::vector<Board> boards;
  for (const GradedFolder& f : folders)
    for (const GradedAnswer& a : f.answers) {
      if (!a.on_board || !a.score || !f.counts) continue;
      Board& board = board_of(boards, f, a);
      if (!is_same(board.none, a.none)) board.none = kUnknownEstimate;
      if (!is_same(board.full, a.full)) board.full = kUnknownEstimate;
      board.rows.push_back({f.id, *a.score, a.share});
    }
  for (Board& board : boards) rank_rows(board);
  return boards;
}

std::vector<std::string> board_remarks(const GradedFolder& folder, const Texts& texts) {
  if (!folder.counts) return folder.is_absent ? std::vector<std::string>() : remarks_of(folder, texts);
  std::vector<std::string> remarks;
  for (const GradedAnswer& a : folder.answers)
    if (a.on_board && !a.failure.empty()) remarks.push_back(a.failure);
  return remarks;
}

void write_boards(const std::vector<Board>& boards, const Texts& texts, std::ostream& out) {
  if (boards.empty()) out << texts.say("board.empty") << '\n';
  for (const Board& board : boards) {
    const TextRows cells = board_cells(board, texts);
    TextTable table(cells.front());
    for (std::size_t r = 1; r < cells.size(); ++r) table.add(cells[r]);
    out << board_heading(board, texts) << "\n\n";
    table.write(out, 2);
    out << '\n';
  }
  if (boards.empty()) return;
  const std::size_t columns = columns_of(out), width = columns > 0 ? std::min(columns, kBoardWidth) : kBoardWidth;
  for (const std::string& line : wrapped(texts.say("board.explained"), width)) out << line << '\n';
}

std::string board_page(const std::vector<Board>& boards, const Texts& texts) {
  TablePage page{.title = texts.say("board.title"),
                 .told = texts.say(boards.empty() ? "board.empty" : "board.explained"),
                 .caption = texts.say("board.caption"),
                 .tables = {},
                 .id = "board-",
                 .named_by = kIdColumn};
  for (const Board& board : boards) page.tables.emplace_back(board_heading(board, texts), board_cells(board, texts));
  return table_page(page, texts);
}

}  // namespace nowsim
