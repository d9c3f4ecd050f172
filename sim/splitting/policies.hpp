// Splitting a job's work among workstations before it runs: the static policies, in closed form.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/formula.hpp"

namespace nowsim {

/// What a policy may know of a workstation.
struct MachineView {
  double speed_flops;        ///< alpha_i
  double mean_availability;  ///< a_i
  double th;                 ///< TH_i
  double sigma_s;            ///< sigma_Ti of an equal share; NaN where neither theory nor a pilot simulation told it
  double memory_bytes;       ///< 0 where unknown
  bool takes_part = true;    ///< false: a server, which gets no share
  /// 0 of a server.
  [[nodiscard]] double available_speed() const { return takes_part ? speed_flops * mean_availability : 0; }
};

/// A policy's own parameters; each policy reads its own.
struct PolicyParameters {
  double slope_flop = 0;                       ///< linear-slope: X_{i+1} - X_i
  std::shared_ptr<const Formula> formula;      ///< formula: a weight per workstation
  std::map<std::string, double> variables = {};  ///< formula: what it may use besides the machine's
  std::string formula_text = {};                 ///< formula: as written
};

/// A splitting policy: a line of `nowsim list policies`.
struct Policy {
  std::string name;
  std::string summary;
  std::string parameters = {};
  /// X_i [flop] of each workstation; they sum to work_flop. @throws InputError or InfeasibleError, saying why.
  /// Null: it is found by simulation (find_split.hpp).
  std::vector<double> (*split)(double work_flop, std::span<const MachineView>, const PolicyParameters&);
  bool needs_sigma = false;     ///< it reads sigma_s, which therefore has to be known (a formula: see reads_sigma())
  bool is_second_step = false;  ///< it moves work that 'proportional' has split, not always for the better
  bool needs_parameter = false; ///< it says nothing without a parameter of its own
};

/// equal, linear-slope, proportional, equalize, equalize-linear, optimal, formula.
std::span<const Policy> policies();
/// Null where there is none of that name.
const Policy* find_policy(const std::string& name);
/// What a policy (of a closed form) gives each machine, nothing where it does not take part: for the policy the others
/// are all there are. @throws as Policy::split.
std::vector<double> shares_by(const Policy& policy, double work_flop, std::span<const MachineView> machines,
                              const PolicyParameters& parameters);
/// Whether a policy reads MachineView::sigma_s.
bool reads_sigma(const Policy& policy, const PolicyParameters& parameters);

}  // namespace nowsim
