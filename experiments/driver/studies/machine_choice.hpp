// How many and which of a plan's machines to use: what sets are tried, and in which order; the choice among them,
// measured on random numbers that the search has not seen.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/studies/alternatives.hpp"

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

struct MachineField {
  std::size_t machines = 0;
  std::size_t least = 1;                         ///< machines that the job needs
  std::vector<std::vector<std::size_t>> orders;  ///< of all machines, each from good to bad: prefixes are tried
  std::vector<std::size_t> kinds;                ///< per machine: machines of one kind may stand for one another
  bool has_deadline = false, has_risk = false;
};

/// Up to so many machines every set is tried (of machines of a kind it only counts how many).
inline constexpr std::size_t kMostForAllSets = 10;

/// So many of the best are judged again by all replications.
inline constexpr std::size_t kMostConfirmed = 20;

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
  /// Has sets judged, and keeps what they came to: of the first ones, where `judge` does not get to all. Returns how many.
  std::size_t try_sets(const std::vector<MachineSet>& sets, const JudgeSets& judge);
  /// Judges the best again, as far as `judge_again` gets; they are confirmed then. Returns them, the best by what was known
  /// before first.
  std::vector<MachineSet> confirm_best(const MachineField& field, const JudgeSets& judge_again);
  /// The best set of each size that was tried and can run, of the confirmed ones where there are any: the best by few
  /// replications may have been lucky.
  [[nodiscard]] std::vector<MachineSet> best_by_size() const;
};

/// 0, 1, ... n - 1, those first of which `of` is greatest.
std::vector<std::size_t> by_descending(std::size_t n, const std::function<double(std::size_t)>& of);

/// Tries every set of few machines; of many the prefixes of the orders, and from the best of them on sets with a
/// machine more, less or another, as long as that helps.
MachineSearch search_machines(const MachineField& field, const JudgeSets& judge);

// ---- the choice -----------------------------------------------------------------------------------------------------

/// The best set of so many machines that the search found.
struct SizedChoice {
  std::vector<std::string> machines;
  Alternative plan;  ///< measured anew
};

struct MachineChoice {
  std::string policy;  ///< by which every set's work is split
  SetObjective objective = SetObjective::tau;
  bool is_exhaustive = false;
  std::size_t sets_tried = 0;
  std::vector<SizedChoice> by_size;     ///< ascending; the last has all machines
  std::size_t chosen = 0;               ///< of by_size: the search's choice, or all machines where that was rejected
  std::optional<std::size_t> rejected;  ///< of by_size: the search's choice where, measured anew, it is surely worse
  /// RF and tau [s] of all machines less those of the search's choice, replication by replication; NaN where that is all,
  /// and RF without a deadline.
  Estimate late_less = kUnknownEstimate, takes_less = kUnknownEstimate;
  std::optional<Alternative> by_recommended;  ///< on the chosen machines, where that is another policy
  /// On the chosen machines by the better of both policies, where that is surely better than the recommended policy on
  /// all machines, with its most work; none: that is advised.
  std::optional<Alternative> advised;
  std::uint64_t search_seed = 0, seed = 0;   ///< of the search, and of what is reported

  [[nodiscard]] bool takes_all() const { return chosen + 1 == by_size.size(); }
};

/// What a set's run, or a placement's, came to.
SetOutcome set_outcome(const PointOutcome& outcome, const PlanRequest& request);

/// Rejects a choice that is surely worse than all machines by what it was chosen for, or, where that cannot be told, by
/// tau: all are chosen then.
void reject_if_worse(MachineChoice& choice);

/// @throws InputError where none of a plan's policies can be searched by, since all take simulation to split.
void check_machine_choice(const Experiment& experiment, const Registry<Policy>& policies);

/// Searches by the recommended policy, or where that takes simulation to split, by the best one that does not.
/// @throws RunError, also where no policy that will do has run.
MachineChoice choose_machines(const std::vector<Alternative>& plans, const Advice& advice,
                              const PlanRequest& request, const Registries& registries, const StudyManner& manner);

}  // namespace nowsim
