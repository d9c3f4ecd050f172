// Owners of a draw in place of measured ones.
#include "sim/program/measured_scenario.hpp"

#include <algorithm>
#include <map>

#include "sim/owners/measured_owner.hpp"

namespace nowsim {

std::uint64_t replications_per_draw(const Scenario& scenario) {
  const auto is_measured = [](const OwnerPtr& model) { return model->is_measured(); };
  const bool any = std::ranges::any_of(scenario.owners, is_measured) || std::ranges::any_of(scenario.bandwidth, is_measured);
  return any ? kReplicationsPerDraw : 0;
}

std::uint64_t dependent_replications(const Scenario& scenario) {
  return std::max(scenario.variance_reduction->unit(), replications_per_draw(scenario));
}

Scenario as_drawn(const Scenario& scenario, std::uint64_t draw) {
  Scenario out = scenario;
  std::map<OwnerPtr, OwnerPtr> drawn;  // machines that share one go on sharing
  for (auto* models : {&out.owners, &out.bandwidth})
    for (auto& model : *models) {
      if (!model->is_measured()) continue;
      OwnerPtr& one = drawn[model];
      if (!one) one = model->as_drawn(scenario.seed, draw);
      model = one;
    }
  return out;
}

}  // namespace nowsim
