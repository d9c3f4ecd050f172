// What comparing the values of a swept key gave: a cell for each point of the other axes.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/claims/contrast.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/contrast_request.hpp"

namespace nowsim {

/// How a value stands beside the one that it is compared with, or beside the best.
enum class ContrastStanding { compared_with, best, may_be_best, better, worse, higher, lower, same, not_told };
/// "best", "may be best", "not told apart", ...; "" of what the others are compared with.
const char* standing_text(ContrastStanding standing);

/// One value of the key, with results.
struct ContrastValue {
  std::string value;
  std::size_t row = 0;  ///< of the summary
  Estimate estimate;    ///< of the metric, with its own interval
  Estimate difference, percent;
  ContrastStanding standing = ContrastStanding::not_told;
};

/// What differs in the key alone, and in axes that follow it.
struct ContrastCell {
  std::vector<std::pair<std::string, std::string>> at;  ///< of the axes that tell cells apart
  std::string workstation;                              ///< "": the metric is of the whole run
  std::vector<ContrastValue> values;                    ///< the metric's best first, else the lowest
  std::string nothing;                                  ///< why nothing is compared; "" where it is
  Pairing pairing;                                      ///< how the correlation of all its differences is known
  bool is_exact = false;                                ///< nothing of it is random
};

/// A metric's comparisons.
struct MetricContrasts {
  const Metric* metric = nullptr;
  std::size_t column = 0;  ///< of the summary
  Better better = Better::unknown;
  std::vector<ContrastCell> cells;
};

/// A row that is compared nowhere by a metric.
struct RowLeftOut {
  std::size_t row;
  std::string reason;  ///< the row's, or "its speedup is not known"
};

/// All that there is to say.
struct ContrastReport {
  ResultTable summary;
  std::string key, against;  ///< as in the request
  std::vector<MetricContrasts> metrics;
  std::vector<RowLeftOut> left_out;
};

ContrastReport contrast_report(const ContrastRequest& request, const ResultTable& summary);

}  // namespace nowsim
