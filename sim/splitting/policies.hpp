// Splitting a job's work among workstations before it runs: how a policy is described, and the list of them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/keys.hpp"
#include "sim/base/registry.hpp"

namespace nowsim {

/// What a policy may know of a workstation.
struct MachineView {
  double speed_flops;        ///< alpha_i
  double mean_availability;  ///< a_i: what its owner is expected to leave during the run (machine_views.hpp)
  double th;                 ///< TH_i
  double sigma_s;            ///< sigma_Ti of an equal share; NaN where neither theory nor a pilot simulation told it
  double memory_bytes;       ///< 0 where unknown
  bool takes_part = true;    ///< false: a server, which gets no share
  /// 0 of a server.
  [[nodiscard]] double available_speed() const { return takes_part ? speed_flops * mean_availability : 0; }
};

/// What is to be split, and among whom.
struct WorkAndMachines {
  double work_flop;
  std::span<const MachineView> machines;
};
/// What an expression or a function of the user's may know: by its short name, of each machine or of all.
struct PolicyVariable {
  const char* name;
  const char* help;
  bool of_machine;
  double (*value)(const WorkAndMachines&, std::size_t machine);
};
std::span<const PolicyVariable> policy_variables();
/// Shares in proportion to weights, one per machine. @throws InputError, in a sentence about `by`, what gave them, where
/// they are not as many as machines, negative, not finite or all 0.
std::vector<double> shares_by_weight(double work_flop, const std::vector<double>& weights, std::size_t machines,
                                     const std::string& by);

struct SplitChoice;

/// A splitting policy: a line of `nowsim list policies`.
struct Policy {
  std::string name;
  std::string summary;
  KeyTable keys = {};
  /// For keys that say how a split is found (a guard, an objective), rather than what the shares are. Null: what stands
  /// at the keys is for `split`.
  void (*read_search)(KeyReader&, SplitChoice&) = nullptr;
  /// X_i [flop] of each workstation; they sum to work_flop. @throws InputError or InfeasibleError, saying why.
  /// Null: it is found by simulation (split_task.hpp).
  std::function<std::vector<double>(double work_flop, std::span<const MachineView>, const KeyValues&)> split;
  bool needs_sigma = false;     ///< it reads sigma_s, which therefore has to be known (formulas: see reads_sigma())
  bool is_second_step = false;  ///< it moves work that 'proportional' has split, not always for the better

  /// Whether its shares depend on keys of its own: it says nothing of machines alone.
  [[nodiscard]] bool needs_parameters() const { return !keys.empty() && read_search == nullptr; }
};

/// nowsim's own, in the order in which they are listed; the first is the usual one.
const Registry<Policy>& builtin_policies();
/// What a policy (of a closed form) gives each machine, nothing where it does not take part: for the policy the others
/// are all there are. @throws as Policy::split.
std::vector<double> shares_by(const Policy& policy, double work_flop, std::span<const MachineView> machines,
                              const KeyValues& parameters);
/// Whether a policy reads MachineView::sigma_s.
bool reads_sigma(const Policy& policy, const KeyValues& parameters);

}  // namespace nowsim
