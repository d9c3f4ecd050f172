// Who wins in a cell of a figure of winners, by how much, and from whom it cannot be told apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// The value of the series whose mean is best at one x and y.
struct Winner {
  std::string best;
  std::vector<std::string> ties;   ///< the values that it cannot be told from, the nearest first
  std::string compared;            ///< `against`, or where there is none or it wins, the second best; "" where alone
  double excess = kNotKnown;       ///< the compared mean over the best, less 1; kNotKnown where the best is not above 0
  bool is_among_fewer = false;     ///< a value of the series has no results here
};

/// The winner of a panel at x and y; none where nobody has results. Others are told from it where they are not the best
/// by multiple comparisons with the best (multiple_comparisons.hpp; replications are paired where they are known), which hold
/// together at the experiment's confidence: so which one is best is judged at that confidence too, though it was picked by
/// the same numbers.
std::optional<Winner> winner_at(const Figure& figure, const FigurePanel& panel, const ResultTable& summary,
                                const std::string& x, const std::string& y);

}  // namespace nowsim
