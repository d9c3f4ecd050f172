// The policies equal and linear-slope: shares that know nothing of the workstations but their order.
#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {
namespace {

std::vector<double> equal_shares(double work, std::span<const MachineView> machines, const Values&) {
  return std::vector<double>(machines.size(), work / static_cast<double>(machines.size()));
}

/// HL Figs. 15-18: X_i = X_0 + slope·(i - 1), with X_0 such that the shares sum to X.
std::vector<double> sloping_shares(double work, std::span<const MachineView> machines, const Values& p) {
  const auto n = static_cast<double>(machines.size());
  const double slope_flop = p.numbers.at("slope");
  const double first = work / n - slope_flop * (n - 1) / 2;
  std::vector<double> shares;
  for (std::size_t i = 0; i < machines.size(); ++i)
    shares.push_back(first + slope_flop * static_cast<double>(i));
  for (const std::size_t i : {std::size_t{0}, shares.size() - 1})
    if (shares[i] < -1e-12 * std::abs(work))
      throw InfeasibleError("slope = " + short_number(slope_flop) + " gives workstation " + std::to_string(i + 1) +
                            " of " + std::to_string(shares.size()) + " negative work, X_" + std::to_string(i + 1) +
                            " = " + short_number(shares[i]) + " flop of X = " + short_number(work) +
                            ": at most 2X/(N(N-1)) = " + short_number(2 * work / (n * (n - 1))) + " in size");
  for (double& share : shares) share = std::max(share, 0.0);
  return shares;
}

}  // namespace

Policy equal_policy() { return {.name = "equal", .summary = "X/N each", .split = equal_shares}; }

Policy linear_slope_policy() {
  return {.name = "linear-slope",
          .summary = "X_0 + slope·(i-1), HL Figs. 15-18",
          .keys = {{"slope", KeyType::work, kMustBeGiven, "X_(i+1) - X_i", kAnyNumber}},
          .split = sloping_shares};
}

}  // namespace nowsim
