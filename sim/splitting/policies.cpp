// The policies, and the table of their names.
#include "sim/splitting/policies.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/equalize.hpp"

namespace nowsim {
namespace {

using Shares = std::vector<double>;

/// Shares in proportion to weights. @throws InputError where they are negative or all 0.
Shares by_weight(double work, const Shares& weights, const std::string& what) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0) || !std::isfinite(weights[i]))
      throw InputError(what + " gives workstation " + std::to_string(i + 1) + " the weight " +
                       short_number(weights[i]) + ": weights are numbers, 0 or more");
    sum += weights[i];
  }
  if (!(sum > 0)) throw InputError(what + " gives every workstation the weight 0: the work has nowhere to go");
  if (!std::isfinite(sum)) throw InputError(what + " gives weights too large to be summed");
  Shares shares(weights);
  for (double& share : shares) share *= work / sum;
  return shares;
}

Shares equal(double work, std::span<const MachineView> candidates, const PolicyParameters&) {
  return Shares(candidates.size(), work / static_cast<double>(candidates.size()));
}

/// HL Figs. 15-18: X_i = X_0 + slope·(i - 1), with X_0 such that the shares sum to X.
Shares linear_slope(double work, std::span<const MachineView> candidates, const PolicyParameters& p) {
  const auto n = static_cast<double>(candidates.size());
  const double first = work / n - p.slope_flop * (n - 1) / 2;
  Shares shares;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    shares.push_back(first + p.slope_flop * static_cast<double>(i));
  for (double share : {shares.front(), shares.back()})
    if (share < -1e-12 * std::abs(work))
      throw InfeasibleError("slope = " + short_number(p.slope_flop) +
                            " gives a workstation negative work: at most 2X/(N(N-1)) = " +
                            short_number(2 * work / (n * (n - 1))) + " in size");
  for (double& share : shares) share = std::max(share, 0.0);
  return shares;
}

/// HL step (1), BZ Proposition 1: X_i in proportion to s_i = alpha_i·a_i.
Shares proportional(double work, std::span<const MachineView> candidates, const PolicyParameters&) {
  return proportional_shares(work, candidates);
}

Shares equalize(double work, std::span<const MachineView> candidates, const PolicyParameters&) {
  return equalized_shares(work, candidates);
}

Shares equalize_linear(double work, std::span<const MachineView> candidates, const PolicyParameters&) {
  return linearly_equalized_shares(work, candidates);
}

Shares formula(double work, std::span<const MachineView> candidates, const PolicyParameters& p) {
  if (!p.formula) throw InputError("the policy 'formula' needs a formula");
  Shares weights;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const MachineView& c = candidates[i];
    std::map<std::string, double> variables{{"s", c.available_speed()},
                                            {"alpha", c.speed_flops},
                                            {"a", c.mean_availability},
                                            {"TH", c.th},
                                            {"sigma", c.sigma_s},
                                            {"i", static_cast<double>(i + 1)},
                                            {"N", static_cast<double>(candidates.size())},
                                            {"memory", c.memory_bytes},
                                            {"X", work}};
    variables.insert(p.variables.begin(), p.variables.end());
    weights.push_back(p.formula->evaluate(variables));
  }
  return by_weight(work, weights, "the formula");
}

}  // namespace

std::span<const Policy> policies() {
  static const Policy table[] = {
      {"equal", "X/N each", "", equal},
      {"linear-slope", "X_0 + slope·(i-1), HL Figs. 15-18", "slope", linear_slope, false, false, true},
      {"proportional", "in proportion to s_i = alpha_i·a_i (HL step 1, BZ Prop. 1)", "", proportional},
      {"equalize", "mean + standard deviation of T_i the same for all, by HL (9)-(11) (HL step 2)",
       "guard, replications", equalize, true, true},
      {"equalize-linear", "the same by HL (12), linear in the work moved", "guard, replications", equalize_linear, true,
       true},
      {"optimal", "minimises tau, RF at run.deadline or a quantile of T, by simulation",
       "objective, quantile, replications, gap_samples", nullptr},
      {"formula", "in proportion to an expression in s, alpha, a, TH, sigma, i, N, memory, X, let.NAME and keys",
       "weight", formula, false, false, true},
  };
  return table;
}

const Policy* find_policy(const std::string& name) {
  for (const auto& policy : policies())
    if (policy.name == name) return &policy;
  return nullptr;
}

std::vector<double> shares_by(const Policy& policy, double work_flop, std::span<const MachineView> candidates,
                              const PolicyParameters& parameters) {
  std::vector<MachineView> workers;
  std::ranges::copy_if(candidates, std::back_inserter(workers), &MachineView::takes_part);
  const Shares given = policy.split(work_flop, workers, parameters);
  Shares shares(candidates.size(), 0.0);
  for (std::size_t i = 0, next = 0; i < candidates.size(); ++i)
    if (candidates[i].takes_part) shares[i] = given[next++];
  return shares;
}

bool reads_sigma(const Policy& policy, const PolicyParameters& parameters) {
  return policy.needs_sigma ||
         (parameters.formula && std::ranges::count(parameters.formula->variables(), std::string("sigma")) > 0);
}

const std::vector<std::string>& policy_variables() {
  static const std::vector<std::string> names{"s", "alpha", "a", "TH", "sigma", "i", "N", "memory", "X"};
  return names;
}

}  // namespace nowsim
