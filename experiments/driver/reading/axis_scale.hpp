// Where the values of a swept key lie on a figure's axis: numbers in SI, or words side by side.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/text/units.hpp"

namespace nowsim {

/// The different values of a key and their positions.
struct AxisScale {
  std::vector<std::string> texts;  ///< as written, each once, in the order of the sweep
  std::vector<double> positions;   ///< in SI; 1, 2, ... of words
  bool words = false;              ///< not all values are quantities of one dimension
  Dimension dimension = Dimension::number;

  /// The position of a value, NaN for one that is not there.
  [[nodiscard]] double at(const std::string& text) const;
};

/// The scale of these values: of the first dimension in which all are quantities ("1s, 5min": times), else words.
AxisScale scale_of(const std::vector<std::string>& values);

}  // namespace nowsim
