// The table of checks.
#include "experiments/driver/claims/claim_checks.hpp"

#include <vector>

#include "sim/base/registry.hpp"

namespace nowsim {
namespace checks {

using CheckMaker = CheckKind();

// clang-format off
/// In the order in which they are listed. Each stands with what it asks in one of the files checks_*.cpp.
NOWSIM_LISTED(CheckMaker, kAll,
              flat,
              meet,
              increasing,
              decreasing,
              linear,
              proportional,
              grows_more,
              steeper,
              peak_inside,
              falls_then_rises,
              minimum_between,
              maximum_between,
              minima_agree,
              peak_at_minimum,
              peaks_rise,
              maximum_value_between,
              values_between,
              power_law,
              r_squared,
              above,
              cross,
              ratio_between,
              change_between);
// clang-format on

}  // namespace checks

std::span<const CheckKind> builtin_checks() {
  static const std::vector<CheckKind> kinds = made(checks::kAll);
  return kinds;
}

}  // namespace nowsim
