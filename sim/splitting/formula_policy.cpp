// The policy formula: shares in proportion to an expression of the user's.
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {
namespace {

/// Shares in proportion to weights. @throws InputError where they are negative or all 0.
std::vector<double> shares_by_weight(double work, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0) || !std::isfinite(weights[i]))
      throw InputError("the formula gives workstation " + std::to_string(i + 1) + " the weight " +
                       short_number(weights[i]) + ": weights are numbers, 0 or more");
    sum += weights[i];
  }
  if (!(sum > 0))
    throw InputError("the formula gives every workstation the weight 0: the work has nowhere to go");
  if (!std::isfinite(sum)) throw InputError("the formula gives weights too large to be summed");
  std::vector<double> shares(weights);
  for (double& share : shares) share *= work / sum;
  return shares;
}

std::vector<double> shares_by_formula(double work, std::span<const MachineView> machines, const PolicyParameters& p) {
  const WrittenFormula& weight = p.formulas.at("weight");
  std::vector<double> weights;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const MachineView& c = machines[i];
    std::map<std::string, double> variables{{"s", c.available_speed()},
                                            {"alpha", c.speed_flops},
                                            {"a", c.mean_availability},
                                            {"TH", c.th},
                                            {"sigma", c.sigma_s},
                                            {"i", static_cast<double>(i + 1)},
                                            {"N", static_cast<double>(machines.size())},
                                            {"memory", c.memory_bytes},
                                            {"X", work}};
    variables.insert(weight.keys.begin(), weight.keys.end());
    weights.push_back(weight.formula->evaluate(variables));
  }
  return shares_by_weight(work, weights);
}

}  // namespace

Policy formula_policy() {
  return {.name = "formula",
          .summary = "in proportion to an expression in s, alpha, a, TH, sigma, i, N, memory, X, let.NAME and keys",
          .keys = {{"weight", KeyType::formula, kMustBeGiven, "of a machine, by s, alpha, a, TH, sigma, i, N, memory, X"}},
          .split = shares_by_formula};
}

}  // namespace nowsim
