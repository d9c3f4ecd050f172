// What a figure takes from the rows of a summary: values of swept keys, estimates of metrics, rows that fit.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// The values of a swept key and where they lie; none for the key "".
AxisScale scale_of_key(const ResultTable& summary, const std::string& key);
/// Whether a row has all these values.
bool fits(const ResultTable& summary, const ResultRow& row, const std::vector<FigureCondition>& conditions);

/// Points whose value a log scale cannot show.
struct OffLogScale {
  std::size_t points = 0;
  bool below = false;  ///< some are below 0

  void add(double value);
  /// "1 point at 0 cannot be shown on a log scale"; "" where there are none.
  [[nodiscard]] std::string text() const;
};

}  // namespace nowsim
