// The table of checks.
#include "experiments/claim_checks.hpp"

#include <array>

#include "experiments/check_parts.hpp"

namespace nowsim {

std::span<const CheckKind> check_kinds() {
  static const std::array<CheckKind, 18> kinds{{
      {"flat", "the metric stays within a tolerance along an axis", {"along", "tolerance"}, {}, false, checks::flat},
      {"meet", "the points along an axis agree", {"along", "tolerance"}, {}, false, checks::meet},
      {"increasing", "every step along an axis rises", {"along"}, {"tolerance"}, true, checks::increasing},
      {"decreasing", "every step along an axis falls", {"along"}, {"tolerance"}, true, checks::decreasing},
      {"linear", "the metric rises in a straight line", {"along", "tolerance"}, {}, true, checks::linear},
      {"proportional",
       "the metric rises in a straight line through 0",
       {"along", "tolerance"},
       {},
       true,
       checks::proportional},
      {"grows_more",
       "the rise along an axis is larger for larger values of another",
       {"along", "across"},
       {},
       true,
       checks::grows_more},
      {"steeper",
       "the rise along an axis is larger than that along another",
       {"along", "across"},
       {},
       true,
       checks::steeper},
      {"peak_inside", "the maximum lies inside the range", {"along"}, {}, true, checks::peak_inside},
      {"falls_then_rises", "the minimum lies inside the range", {"along"}, {}, true, checks::falls_then_rises},
      {"minimum_between",
       "the minimum lies between bounds on an axis",
       {"along"},
       {"least", "most"},
       true,
       checks::minimum_between},
      {"maximum_between",
       "the maximum lies between bounds on an axis",
       {"along"},
       {"least", "most"},
       true,
       checks::maximum_between},
      {"minima_agree",
       "the minimum lies where another metric's does",
       {"along", "other", "within"},
       {},
       true,
       checks::minima_agree},
      {"peak_at_minimum",
       "the maximum lies where another metric's minimum does",
       {"along", "other", "within"},
       {},
       true,
       checks::peak_at_minimum},
      {"peaks_rise",
       "the maximum along an axis is higher for larger values of another",
       {"along", "across"},
       {},
       true,
       checks::peaks_rise},
      {"values_between",
       "every value is within bounds",
       {"along"},
       {"more_than", "less_than"},
       false,
       checks::values_between},
      {"power_law",
       "the fitted exponent keeps within bounds",
       {"along"},
       {"least", "most", "above_first"},
       true,
       checks::power_law},
      {"above",
       "one curve is above another",
       {"along", "across", "higher", "lower"},
       {"tolerance"},
       false,
       checks::above},
  }};
  return kinds;
}

const CheckKind* find_check_kind(const std::string& name) {
  for (const auto& kind : check_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

}  // namespace nowsim
