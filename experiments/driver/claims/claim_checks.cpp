// The table of checks.
#include "experiments/driver/claims/claim_checks.hpp"

#include <vector>

namespace nowsim {
namespace checks {

/// In the order in which they are listed. Each stands with what it asks in one of the files checks_*.cpp, and has a line
/// here that declares it and adds it.
static std::vector<CheckKind> all_kinds() {
  std::vector<CheckKind> kinds;
  const auto add = [&](const CheckKind& kind) { kinds.push_back(kind); };
  extern CheckKind flat(); add(flat());
  extern CheckKind meet(); add(meet());
  extern CheckKind increasing(); add(increasing());
  extern CheckKind decreasing(); add(decreasing());
  extern CheckKind linear(); add(linear());
  extern CheckKind proportional(); add(proportional());
  extern CheckKind grows_more(); add(grows_more());
  extern CheckKind steeper(); add(steeper());
  extern CheckKind peak_inside(); add(peak_inside());
  extern CheckKind falls_then_rises(); add(falls_then_rises());
  extern CheckKind minimum_between(); add(minimum_between());
  extern CheckKind maximum_between(); add(maximum_between());
  extern CheckKind minima_agree(); add(minima_agree());
  extern CheckKind peak_at_minimum(); add(peak_at_minimum());
  extern CheckKind peaks_rise(); add(peaks_rise());
  extern CheckKind maximum_value_between(); add(maximum_value_between());
  extern CheckKind values_between(); add(values_between());
  extern CheckKind power_law(); add(power_law());
  extern CheckKind r_squared(); add(r_squared());
  extern CheckKind above(); add(above());
  extern CheckKind cross(); add(cross());
  extern CheckKind ratio_between(); add(ratio_between());
  extern CheckKind change_between(); add(change_between());
  return kinds;
}

}  // namespace checks

std::span<const CheckKind> builtin_checks() {
  static const std::vector<CheckKind> kinds = checks::all_kinds();
  return kinds;
}

}  // namespace nowsim
