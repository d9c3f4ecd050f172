// The list of policies, splitting by one, and the plain ones: equal, linear-slope, and by a formula, with what users'
// policies may know of a machine.
#include "sim/splitting/policies.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/base/error.hpp"
#include "sim/base/registry.hpp"
#include "sim/base/text.hpp"

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
                              const KeyValues& parameters) {
  if (std::ranges::all_of(machines, &MachineView::takes_part)) return policy.split(work_flop, machines, parameters);
  std::vector<MachineView> workers;
  std::ranges::copy_if(machines, std::back_inserter(workers), &MachineView::takes_part);
  const std::vector<double> given = policy.split(work_flop, workers, parameters);
  std::vector<double> shares(machines.size(), 0.0);
  for (std::size_t i = 0, next = 0; i < machines.size(); ++i)
    if (machines[i].takes_part) shares[i] = given[next++];
  return shares;
}

bool reads_sigma(const Policy& policy, const KeyValues& parameters) {
  return policy.needs_sigma || std::ranges::any_of(parameters.formulas, [](const auto& entry) {
           return std::ranges::count(entry.second.formula->variables(), std::string("sigma")) > 0;
         });
}

namespace {

std::vector<double> equal_shares(double work, std::span<const MachineView> machines, const KeyValues&) {
  return std::vector<double>(machines.size(), work / static_cast<double>(machines.size()));
}

/// HL Figs. 15-18: X_i = X_0 + slope·(i - 1), with X_0 such that the shares sum to X.
std::vector<double> sloping_shares(double work, std::span<const MachineView> machines, const KeyValues& p) {
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

std::vector<double> shares_by_formula(double work, std::span<const MachineView> machines, const KeyValues& values) {
  const BoundFormula<PolicyVariable> weight(*values.formula("weight"), kVariables);
  std::vector<double> weights;
  const WorkAndMachines all{work, machines};
  for (std::size_t i = 0; i < machines.size(); ++i) weights.push_back(weight.evaluate(all, i));
  return shares_by_weight(work, weights, machines.size(), "the formula");
}

}  // namespace

std::span<const PolicyVariable> policy_variables() { return kVariables; }

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
