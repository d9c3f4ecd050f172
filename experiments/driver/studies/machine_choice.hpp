// How many and which of a plan's machines to use: the search's choice, measured on random numbers that it has not seen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/machine_search.hpp"

namespace nowsim {

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
/// `on_run` is told what is being done. @throws RunError, also where no policy that will do has run.
MachineChoice choose_machines(const std::vector<Alternative>& plans, const Advice& advice,
                              const PlanRequest& request, const Registries& registries, int jobs,
                              const std::function<void(const std::string&)>& on_run);

}  // namespace nowsim
