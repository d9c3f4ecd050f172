// Looking for the set of machines on which a job does best: what sets are tried, and in which order.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace nowsim {

/// Machines by their places in an order from the best to the worst, ascending.
using MachineSet = std::vector<std::size_t>;

/// What a set came to; smaller is better in all three. Infinite where the job cannot run on it.
struct SetOutcome {
  double late = 0;        ///< share of runs beyond the deadline; 0 without one
  double quantile_s = 0;  ///< of T; 0 where no risk was given
  double tau_s = 0;

  [[nodiscard]] bool can_run() const { return std::isfinite(tau_s); }
};

/// What sets are judged by; equal ones by the quantile if a risk was given, then by tau.
enum class SetObjective { late, quantile, tau };
/// "RF", "the quantile of T at the risk", "tau".
const char* objective_text(SetObjective objective);

/// Simulates sets, all with the same seed. Random streams go by a machine's place in its set, so sets that begin with
/// the same machines see the same owners on those, while {b} and {a, b} see different ones on b.
using JudgeSets = std::function<std::vector<SetOutcome>(const std::vector<MachineSet>&)>;

/// What a search may use.
struct MachineField {
  std::size_t machines = 0;
  std::size_t least = 1;                         ///< machines that the job needs
  std::vector<std::vector<std::size_t>> orders;  ///< of all machines, each from good to bad: prefixes are tried
  std::vector<std::size_t> kinds;                ///< per machine: machines of one kind may stand for one another
  bool has_deadline = false, has_risk = false;
};

/// Up to so many machines every set is tried (of machines of a kind it only counts how many).
inline constexpr std::size_t kMostForAllSets = 10;

/// The sets tried, and what they came to.
struct MachineSearch {
  std::map<MachineSet, SetOutcome> tried;
  SetObjective objective = SetObjective::tau;
  bool is_exhaustive = false;
  std::set<MachineSet> confirmed;  ///< those whose outcome comes from all replications

  /// RF where it tells sets that can run apart; else the quantile if a risk was given, else tau.
  void choose_objective(const MachineField& field);
  [[nodiscard]] bool is_better(const SetOutcome& a, const SetOutcome& b) const;
  /// The best sets, the best first, at most so many.
  [[nodiscard]] std::vector<MachineSet> best(std::size_t most) const;
  /// The best set of each size that was tried and can run, of the confirmed ones where there are any: the best by few
  /// replications may have been lucky.
  [[nodiscard]] std::vector<MachineSet> best_by_size() const;
};

/// Tries every set of few machines; of many the prefixes of the orders, and from the best of them on sets with a
/// machine more, less or another, as long as that helps.
MachineSearch search_machines(const MachineField& field, const JudgeSets& judge);

}  // namespace nowsim
