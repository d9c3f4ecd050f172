// The policy formula, shares in proportion to an expression of the user's: what users' policies may know of a machine, and
// the shares that their weights make.
#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {
namespace {

constexpr PolicyVariable kVariables[] = {
    {"s", "mean available speed during the run, alpha times a [flop/s]", true,
     [](const WorkAndMachines& all, std::size_t i) { return all.machines[i].available_speed(); }},
    {"alpha", "nominal speed [flop/s]", true,
     [](const WorkAndMachines& all, std::size_t i) { return all.machines[i].speed_flops; }},
    {"a", "mean availability during the run", true,
     [](const WorkAndMachines& all, std::size_t i) { return all.machines[i].mean_availability; }},
    {"TH", "temporal heterogeneity", true, [](const WorkAndMachines& all, std::size_t i) { return all.machines[i].th; }},
    {"sigma", "standard deviation of an equal share's time [s]", true,
     [](const WorkAndMachines& all, std::size_t i) { return all.machines[i].sigma_s; }},
    {"i", "the machine, 1 .. N", true, [](const WorkAndMachines&, std::size_t i) { return static_cast<double>(i + 1); }},
    {"N", "machines", false,
     [](const WorkAndMachines& all, std::size_t) { return static_cast<double>(all.machines.size()); }},
    {"memory", "its memory [bytes], 0 where unknown", true,
     [](const WorkAndMachines& all, std::size_t i) { return all.machines[i].memory_bytes; }},
    {"X", "the job's work [flop]", false, [](const WorkAndMachines& all, std::size_t) { return all.work_flop; }},
};

std::vector<double> shares_by_formula(double work, std::span<const MachineView> machines, const Values& values) {
  const BoundFormula<PolicyVariable> weight(*values.formula("weight"), kVariables);
  std::vector<double> weights;
  for (std::size_t i = 0; i < machines.size(); ++i) weights.push_back(weight.evaluate(WorkAndMachines{work, machines}, i));
  return shares_by_weight(work, weights, machines.size(), "the formula");
}

}  // namespace

std::span<const PolicyVariable> policy_variables() { return kVariables; }

const PolicyVariable* find_policy_variable(const std::string& name) {
  const auto* const found = std::ranges::find(kVariables, name, [](const auto& v) { return std::string(v.name); });
  return found == std::end(kVariables) ? nullptr : found;
}

std::vector<double> shares_by_weight(double work, const std::vector<double>& weights, std::size_t machines,
                                     const std::string& by) {
  if (weights.size() != machines)
    throw InputError(by + " gives " + std::to_string(weights.size()) + (weights.size() == 1 ? " weight" : " weights") +
                     ", and there are " + std::to_string(machines) + " machines that work is for");
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0) || !std::isfinite(weights[i]))
      throw InputError(by + " gives workstation " + std::to_string(i + 1) + " the weight " + short_number(weights[i]) +
                       ": weights are numbers, 0 or more");
    sum += weights[i];
  }
  if (!(sum > 0)) throw InputError(by + " gives every workstation the weight 0: the work has nowhere to go");
  if (!std::isfinite(sum)) throw InputError(by + " gives weights too large to be summed");
  std::vector<double> shares(weights);
  for (double& share : shares) share *= work / sum;
  return shares;
}

Policy formula_policy() {
  return {.name = "formula",
          .summary = "in proportion to an expression in s, alpha, a, TH, sigma, i, N, memory, X, let.NAME and keys",
          .keys = {{"weight", KeyType::formula, kMustBeGiven, "of a machine, by s, alpha, a, TH, sigma, i, N, memory, X"}},
          .split = shares_by_formula};
}

}  // namespace nowsim
