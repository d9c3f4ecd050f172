// The policy formula: shares in proportion to an expression of the user's.
#include "sim/splitting/policies.hpp"

namespace nowsim {
namespace {

std::vector<double> shares_by_formula(double work, std::span<const MachineView> machines, const PolicyParameters& p) {
  const WrittenFormula& weight = p.formulas.at("weight");
  std::vector<double> weights;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    std::map<std::string, double> values = weight.keys;
    for (const PolicyVariable& variable : policy_variables()) values[variable.name] = variable.value(work, machines, i);
    weights.push_back(weight.formula->evaluate(values));
  }
  return shares_by_weight(work, weights, machines.size(), "the formula");
}

}  // namespace

Policy formula_policy() {
  return {.name = "formula",
          .summary = "in proportion to an expression in s, alpha, a, TH, sigma, i, N, memory, X, let.NAME and keys",
          .keys = {{"weight", KeyType::formula, kMustBeGiven, "of a machine, by s, alpha, a, TH, sigma, i, N, memory, X"}},
          .split = shares_by_formula};
}

}  // namespace nowsim
