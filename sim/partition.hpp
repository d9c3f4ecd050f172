// Splitting a job's work among workstations before it runs: the static policies, in closed form.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/formula.hpp"

namespace nowsim {

/// What a policy may know of a workstation.
struct Candidate {
  double speed_flops;        ///< alpha_i
  double mean_availability;  ///< a_i
  double th;                 ///< TH_i
  double sigma_s;            ///< sigma_Ti of an equal share; NaN where it is not known
  double memory_bytes;       ///< 0 where unknown
  [[nodiscard]] double available_speed() const { return speed_flops * mean_availability; }
};

/// A policy's own parameters; each policy reads its own.
struct PolicyParameters {
  double slope_flop = 0;                       ///< linear-slope: X_{i+1} - X_i
  std::shared_ptr<const Formula> formula;      ///< formula: a weight per workstation
  std::map<std::string, double> variables = {};  ///< formula: what it may use besides policy_variables()
};

/// A splitting policy: a line of `nowsim list policies`.
struct Policy {
  std::string name;
  std::string summary;
  std::string parameters;
  /// X_i [flop] of each workstation; they sum to work_flop. @throws InputError or InfeasibleError, saying why.
  std::vector<double> (*split)(double work_flop, std::span<const Candidate>, const PolicyParameters&);
  bool needs_sigma = false;  ///< it reads sigma_s, which therefore has to be known
};

/// equal, linear-slope, proportional, equalize, equalize-linear, formula.
std::span<const Policy> policies();
/// Null where there is none of that name.
const Policy* find_policy(const std::string& name);
/// The variables a `formula` may use: s, alpha, a, TH, sigma, i (from 1), N, memory, X.
const std::vector<std::string>& policy_variables();

}  // namespace nowsim
