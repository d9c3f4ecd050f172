// Results of the same experiments in two folders, such as of two engines: how far their CSVs are apart.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// Where two columns of the same points are furthest apart, relatively.
struct LargestDifference {
  std::optional<double> relative;  ///< at most 2; nothing where nothing was compared
  std::string metric, point;       ///< where that is; "" where all agree to the last bit
  double a = 0, b = 0;             ///< there
};

/// Where two results of an experiment differ.
struct ResultDifference {
  std::string name;                         ///< huang-lee-2007/fig05
  std::string gap;                          ///< why there is nothing to compare; "" where there is
  std::size_t points = 0;                   ///< that are in both
  std::size_t unmatched = 0;                ///< that have results or an interval in one only, or are in one only
  std::size_t numbers = 0;                  ///< estimates that were compared
  LargestDifference estimates;              ///< |a - b|/max(|a|, |b|)
  LargestDifference ends;                   ///< of their intervals' ends, over the greatest of estimates and ends
  std::vector<std::string> metrics_in_one;  ///< estimates' columns that are in one only
  std::size_t claims = 0;                   ///< that are in both
  std::vector<std::string> claims_in_one;   ///< ids of claims that are in one only
  std::vector<std::string> other_verdicts;  ///< ids of claims whose verdicts differ
};

/// Compares every NAME.csv below the folders, with NAME-claims.csv; CSVs of splits and of isoefficiency's fits are
/// not looked at. Estimates are the columns that have _hw, or _low and _high behind them; those before them tell points
/// apart. Where not both have ends an interval's half-width stands for them. What is in one only is counted, in both
/// directions, of whole experiments too. Sorted by name.
/// @throws InputError where a folder is missing, holds no results, or a file is no CSV.
std::vector<ResultDifference> compare_results(const std::string& a, const std::string& b);

/// How many estimates were compared in all.
std::size_t compared_numbers(const std::vector<ResultDifference>& all);

/// Table: an experiment per line, and below it the largest of all and what is in one only. CSV: one row per
/// experiment; where no estimate was compared `largest` is empty (JSON: null), where no interval `largest_end`.
void write_comparison(const std::vector<ResultDifference>& all, Format format, std::ostream& out);

}  // namespace nowsim
