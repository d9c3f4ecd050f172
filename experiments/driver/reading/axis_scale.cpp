// Reading values as quantities, of one dimension where all are.
#include "experiments/driver/reading/axis_scale.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

std::optional<std::vector<double>> all_in(const std::vector<std::string>& texts, Dimension dimension) {
  std::vector<double> out;
  for (const auto& text : texts)
    if (const auto value = quantity_in(text, dimension)) out.push_back(*value);
    else return std::nullopt;
  return out;
}

}  // namespace

std::optional<double> axis_number(const std::string& text) {
  const auto plain = to_number(text);
  return plain ? plain : any_quantity(text);
}

bool same_axis_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = axis_number(a), y = axis_number(b);
  return x && y && std::abs(*x - *y) <= 1e-12 * std::max(std::abs(*x), std::abs(*y));
}

AxisValues::AxisValues(std::vector<std::string> values) : in_order_(std::move(values)), texts_(in_order_.begin(), in_order_.end()) {
  for (const auto& text : texts_)
    if (const auto number = axis_number(text)) numbers_.emplace(*number, text);
}

const std::string* AxisValues::find(const std::string& value) const {
  if (const auto known = texts_.find(value); known != texts_.end()) return &*known;
  const auto number = axis_number(value);
  if (!number) return nullptr;
  const auto next = numbers_.lower_bound(*number);
  if (next != numbers_.end() && same_axis_value(next->second, value)) return &next->second;
  if (next != numbers_.begin() && same_axis_value(std::prev(next)->second, value)) return &std::prev(next)->second;
  return nullptr;
}

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
