// Values of a swept key: which are the same, and where they lie on a figure's axis, numbers in SI or words side by side.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/text/units.hpp"

namespace nowsim {

/// The number an axis's value is, whatever its unit, in SI: 10s, 25Mf, 28%; nothing for words and formulas.
std::optional<double> axis_number(const std::string& text);
/// Whether two values of an axis are the same: as written, or as numbers (0.28 and 28%).
bool same_axis_value(const std::string& a, const std::string& b);

/// An axis' values, to look others up by same_axis_value().
class AxisValues {
 public:
  explicit AxisValues(std::vector<std::string> values);
  [[nodiscard]] bool empty() const { return in_order_.empty(); }
  [[nodiscard]] const std::vector<std::string>& in_order() const { return in_order_; }
  /// The same value as the axis has it; null where it has none.
  [[nodiscard]] const std::string* find(const std::string& value) const;

 private:
  std::vector<std::string> in_order_;
  std::set<std::string> texts_;
  std::map<double, std::string> numbers_;
};

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
