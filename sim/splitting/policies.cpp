// The list of policies, and splitting by one.
#include "sim/splitting/policies.hpp"

#include <algorithm>
#include <iterator>

#include "sim/base/registry.hpp"

namespace nowsim {

using PolicyMaker = Policy();

// clang-format off
NOWSIM_LISTED(PolicyMaker, kPolicies,
              equal_policy,
              linear_slope_policy,
              proportional_policy,
              equalize_policy,
              equalize_linear_policy,
              optimal_policy,
              formula_policy);
// clang-format on

const Registry<Policy>& builtin_policies() {
  static const Registry<Policy> all(made(kPolicies));
  return all;
}

std::vector<double> shares_by(const Policy& policy, double work_flop, std::span<const MachineView> machines,
                              const Values& parameters) {
  std::vector<MachineView> workers;
  std::ranges::copy_if(machines, std::back_inserter(workers), &MachineView::takes_part);
  const std::vector<double> given = policy.split(work_flop, workers, parameters);
  std::vector<double> shares(machines.size(), 0.0);
  for (std::size_t i = 0, next = 0; i < machines.size(); ++i)
    if (machines[i].takes_part) shares[i] = given[next++];
  return shares;
}

bool reads_sigma(const Policy& policy, const Values& parameters) {
  return policy.needs_sigma || std::ranges::any_of(parameters.formulas, [](const auto& entry) {
           return std::ranges::count(entry.second.formula->variables(), std::string("sigma")) > 0;
         });
}

}  // namespace nowsim
