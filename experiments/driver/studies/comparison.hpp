// Rows of results compared on common random numbers: the values of a swept key, cell by cell, each with one of them or
// with whichever is best, by intervals that hold together; and which row is best.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/running/linear_combination.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// How a row stands beside the one that it is compared with, or beside the best.
enum class RowStanding { compared_with, best, may_be_best, better, worse, higher, lower, same, not_told };
/// "best", "may be best", "not told apart", ...; "" of what the others are compared with.
const char* standing_text(RowStanding standing);

/// A row with results, by one metric.
struct ComparedRow {
  std::string value;    ///< of the key
  std::size_t row = 0;  ///< of the table
  Estimate estimate;    ///< with its own interval
  Estimate difference;  ///< what it is more than that which it is compared with, in the metric's unit
  Estimate percent;     ///< of the other; not known where that is not above 0
  RowStanding standing = RowStanding::not_told;
};

/// What differs in the key alone, and in axes that follow it.
struct ComparedCell {
  std::vector<std::pair<std::string, std::string>> at;  ///< of the axes that tell cells apart
  std::string workstation;                              ///< "": the metric is of the whole run
  std::vector<ComparedRow> rows;                        ///< the metric's best first, else the lowest
  std::string nothing;                                  ///< why nothing is compared; "" where it is
  Pairing pairing;                                      ///< how the correlation of all its differences is known
  bool is_exact = false;                                ///< nothing of it is random
};

struct MetricComparison {
  const Metric* metric = nullptr;
  Better better = Better::unknown;
  std::vector<ComparedCell> cells;
};

/// A row that is compared nowhere by a metric.
struct RowLeftOut {
  std::size_t row;
  std::string reason;  ///< the row's, or "its speedup is not known"
};

struct ComparisonRequest {
  std::string key;                        ///< the axis whose values are compared
  std::string against = {};               ///< the value that all others are compared with; "": all with the best
  std::vector<std::string> metrics = {};  ///< those that the table has, in this order; none: all
  Better best = Better::unknown;          ///< where metrics do not say, or are to be read the other way round

  /// What is better of a metric.
  [[nodiscard]] Better better(const Metric& metric) const { return best != Better::unknown ? best : metric.better; }
};

struct RowComparisons {
  ComparisonRequest request;
  std::vector<MetricComparison> metrics;
  std::vector<RowLeftOut> left_out;

  /// Null where rows are not compared by that metric.
  [[nodiscard]] const MetricComparison* by(const std::string& metric) const;
  /// A row of the table by a metric of whole runs; null where it has no results, or is not compared by that.
  [[nodiscard]] const ComparedRow* row(const std::string& metric, std::size_t row) const;
  /// The most rows of a cell that are compared together.
  [[nodiscard]] std::size_t most_together() const;
};

/// Compares the rows of a table at their own confidence. Each metric's intervals of a cell hold together. With the best
/// it has to be known whether low or high values are better.
RowComparisons compare_rows(const ResultTable& table, const ComparisonRequest& request);

/// The rows of the first cell that are not surely riskier than that of the least RF, by rising tau; without comparisons
/// by RF all. `comparisons` are with the best, by tau too.
std::vector<std::size_t> safest_rows(const RowComparisons& comparisons);
/// The one rule for what to choose: of the rows whose RF cannot be told from the least, the one with the least tau. None
/// without results.
std::optional<std::size_t> best_row(const RowComparisons& comparisons);

/// The level of each difference between any two of several values, so that all of them hold together.
double level_of_pairs(std::span<const MeasuredPoint> values, double confidence);

/// Of each value, what it is more than another, with intervals that hold together.
struct Differences {
  std::vector<Estimate> of;       ///< in the metric's unit
  std::vector<Estimate> percent;  ///< of the other; not known where that is not above 0. They hold together likewise
};

/// From one of the values, which itself differs by exactly 0. The level of each is what all of them need whatever their
/// correlation is (multiple_comparisons.hpp), or Bonferroni's where contributions are not known.
Differences differences_from(std::span<const MeasuredPoint> values, std::size_t from, double confidence);

/// From the best, which nobody knows: the intervals are those that differences_from() each value give that is not
/// surely worse than another, joined, and cut at 0, beyond which nothing can be better than the best (Edwards & Hsu,
/// JASA 78, 1983). They hold together since those from the true best do. So an interval at 0 alone is the best's; one
/// off 0 is of a worse value; the others' may be best. `better` is not unknown; values are in any order.
Differences differences_from_best(std::span<const MeasuredPoint> values, Better better, double confidence);

}  // namespace nowsim
