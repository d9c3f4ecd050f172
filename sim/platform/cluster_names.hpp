// The names of the machines that a <cluster> or <cabinet> makes.
#pragma once

#include <algorithm>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/platform/platform_values.hpp"

namespace nowsim {

/// A number of the element's radical, and what stands around it. Other elements may have the same around theirs.
class ClusterNames {
 public:
  /// An element that follows the rules of platforms.
  explicit ClusterNames(const pugi::xml_node& element)
      : prefix_(element.attribute("prefix").value()), suffix_(element.attribute("suffix").value()) {
    using namespace platform_rules;
    for (const auto part : parts_of(element.attribute("radical").value(), ",")) {
      const auto ends = parts_of(part, "-");
      const auto first = whole_number(trimmed(ends.front())), last = whole_number(trimmed(ends.back()));
      if (first && last) ranges_.emplace_back(*first, *last);
    }
  }

  /// In the radical's order.
  [[nodiscard]] std::vector<int> numbers() const {
    std::vector<int> all;
    for (const auto& [first, last] : ranges_)
      for (int number = first; number <= last; ++number) all.push_back(number);
    return all;
  }
  [[nodiscard]] std::string name(int number) const { return prefix_ + std::to_string(number) + suffix_; }

  [[nodiscard]] bool has(const std::string& name) const {
    const bool fits =
        name.starts_with(prefix_) && name.ends_with(suffix_) && name.size() > prefix_.size() + suffix_.size();
    if (!fits) return false;
    const std::string digits = name.substr(prefix_.size(), name.size() - prefix_.size() - suffix_.size());
    const auto number = platform_rules::whole_number(digits);
    // SimGrid counts 01-03 as 1, 2, 3.
    if (!number || std::to_string(*number) != digits) return false;
    return std::ranges::any_of(
        ranges_, [&](const auto& range) { return range.first <= *number && *number <= range.second; });
  }

 private:
  std::string prefix_, suffix_;
  std::vector<std::pair<int, int>> ranges_;
};

}  // namespace nowsim
