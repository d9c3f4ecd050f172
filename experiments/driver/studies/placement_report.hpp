// A plan for a recorded program as people and programs read it: which rank on which machine, and how sure that is.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/studies/placement_choice.hpp"
#include "experiments/driver/studies/plan_report.hpp"

namespace nowsim {

/// All that there is to say.
struct PlacementReport {
  PlanReport plan;  ///< with placements in the place of policies: the same estimates, promise and picture
  PlacementField field;
  FoundPlacements found;          ///< `best` in the order of the plan's rows
  RowComparisons comparisons;
  std::vector<std::string> recording;  ///< what a recording does not say: sentences, with the table
  std::vector<std::string> remarks;    ///< the experiment's, for programs: commands say them beside

  /// The recommended one; null where none could be measured.
  [[nodiscard]] const NamedPlacement* recommended() const {
    return plan.advice.best ? &found.best[*plan.advice.best] : nullptr;
  }
  [[nodiscard]] const std::vector<Workstation>& machines() const {
    return plan.plans.front().scenario->platform->workstations;
  }
};

/// From what was measured, an outcome per placement that was found.
PlacementReport placement_report(const PlanRequest& request, const Experiment& measured,
                                 const std::vector<PointOutcome>& outcomes, PlacementField field,
                                 FoundPlacements found);

/// What a recording does not say of its program on other machines, besides the workload's own remarks. @param trace a
/// folder may have its provenance.
/// @throws InputError where that is damaged.
std::vector<std::string> recording_sentences(const MpiTrace& recorded, const std::string& trace);

/// Which placement, how surely the deadline holds, what cannot be told, how that was found: a sentence each.
std::vector<std::string> placement_sentences(const PlacementReport& report);

/// What stands for a placement in an experiment: job.placement, and job.ranks_per_machine where all ranks stand in rows
/// of equal length.
struct PlacementKeys {
  std::string machines;  ///< "[fast1, fast2]"
  std::size_t ranks_per_machine = 1;
};
PlacementKeys placement_keys(const Placement& placement, const std::vector<Workstation>& machines);

/// "0-3, 7".
std::string ranks_text(const std::vector<std::size_t>& ranks);

/// The table is for people: estimates, comparisons with the best, who is where, advice. CSV: a row per placement, in
/// SI. JSON: all of it.
void write_placements(const PlacementReport& report, Format format, std::ostream& out);

}  // namespace nowsim
