// Finding the dimension in which all values of a key are quantities.
#include "experiments/driver/reading/axis_scale.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

std::optional<std::vector<double>> all_in(const std::vector<std::string>& texts, Dimension dimension) {
  std::vector<double> out;
  try {
    for (const auto& text : texts) out.push_back(parse_quantity(text, dimension));
    return out;
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

double AxisScale::at(const std::string& text) const {
  const auto found = std::ranges::find(texts, text);
  if (found == texts.end()) return std::numeric_limits<double>::quiet_NaN();
  return positions[static_cast<std::size_t>(found - texts.begin())];
}

AxisScale scale_of(const std::vector<std::string>& values) {
  AxisScale out;
  for (const auto& value : values)
    if (std::ranges::count(out.texts, value) == 0) out.texts.push_back(value);
  for (const Dimension dimension : {Dimension::number, Dimension::count, Dimension::fraction, Dimension::time,
                                    Dimension::work, Dimension::bytes, Dimension::bandwidth}) {
    out.dimension = dimension;
    if (auto positions = all_in(out.texts, dimension)) {
      out.positions = std::move(*positions);
      return out;
    }
  }
  out.words = true;
  out.dimension = Dimension::number;
  for (std::size_t i = 0; i < out.texts.size(); ++i) out.positions.push_back(static_cast<double>(i + 1));
  return out;
}

}  // namespace nowsim
