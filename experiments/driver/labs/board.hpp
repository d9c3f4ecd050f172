// The class's page: scores of questions that stand on it, ranked as far as intervals tell.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/labs/grading.hpp"

namespace nowsim {

/// A student's score. `share` is of the way from what was to beat (0) to the best known (1): what students with other
/// numbers are compared by. Its interval covers those of all three.
struct BoardRow {
  std::string id;
  Estimate score, share;
  std::size_t rank = 1;  ///< one more than there are rows whose intervals lie wholly above
};
/// A question.
struct Board {
  std::string lab, question, unit;
  Estimate none = kUnknownEstimate, full = kUnknownEstimate;  ///< known where all students have the same
  std::vector<BoardRow> rows;                                 ///< the highest share first
};
/// Of all folders that count.
std::vector<Board> boards_of(const std::vector<GradedFolder>& folders);

/// Why a folder, or an answer to a question of the board, is not on it: sentences.
std::vector<std::string> board_remarks(const GradedFolder& folder, const Texts& texts);

void write_boards(const std::vector<Board>& boards, const Texts& texts, std::ostream& out);
std::string board_page(const std::vector<Board>& boards, const Texts& texts);

}  // namespace nowsim
