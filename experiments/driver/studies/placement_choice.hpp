// On which machines the ranks of a recorded program are best: searched by simulation, measured on random numbers that
// the search has not seen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/comparison.hpp"
#include "experiments/driver/studies/placement_search.hpp"
#include "experiments/driver/studies/plan_request.hpp"

namespace nowsim {

/// The scenario's machines as its program's ranks see them. @throws InputError where there is no room for all ranks;
/// what look_for_routes() throws.
PlacementField placement_field(const Scenario& scenario, const MpiTrace& trace, const PlanRequest& request);

/// How a search is simulated, and how far it goes.
struct PlacementTrials {
  PlacementEffort effort;
  std::uint64_t first_replications = 100;  ///< of each placement
  std::uint64_t replications = 1000;       ///< of the best ones, again; and of what is measured
};
/// What there is time for: fewer placements, and where that is not enough fewer replications, in whole tens.
/// @param replication_s of one, on all processes together. @param is_asked the replications are not to be fewer.
/// @throws InputError where that is too few, saying how long it would take.
PlacementTrials trials_in_time(double replication_s, std::uint64_t replications, double most_s, bool is_asked);
/// How long replications take by rough estimates, on so many processes [s].
double estimated_replication_s(const Point& point, int jobs);
/// For how many of as many as that the time that is left suffices, in whole tens, though a hundred are taken in any case.
std::uint64_t replications_left(double replication_s, std::size_t placements, std::uint64_t replications, double left_s);
/// Of the time that a plan has the share in which placements are searched; in the rest the best are measured.
inline constexpr double kShareOfSearch = 0.6;

/// What the search came to.
struct FoundPlacements {
  std::vector<NamedPlacement> best;  ///< those that it began with and that can run, and up to three that it found
  std::size_t tried = 0;
  std::uint64_t replications = 0;  ///< simulated in the search
  SetObjective objective = SetObjective::tau;
  std::uint64_t seed = 0;
  bool was_ended = false;  ///< since its time was over
};

/// Who is told, and asked.
struct SearchManner {
  int jobs = 1;
  std::function<void(const std::string&)> on_run;  ///< what is being done
  std::function<bool()> is_over;                   ///< the search ends with what it has
};

/// Judges placements as `--subset` judges sets: by RF where it differs, then the quantile at the risk, then tau.
/// @throws RunError where no placement could be simulated.
FoundPlacements find_placements(const Point& point, const PlacementField& field, const PlanRequest& request,
                                const PlacementTrials& trials, const SearchManner& manner);

/// The name of the axis along which placements differ.
inline constexpr const char* kPlacementAxis = "placement";
/// A point per placement, all on the random numbers of the experiment's seed.
Experiment placements_experiment(const Experiment& described, const std::vector<NamedPlacement>& placements,
                                 std::uint64_t replications);

/// Comparisons with the best placement by tau, and with a deadline by RF.
RowComparisons compare_placements(const ResultTable& summary, bool has_deadline);

// ---- the answer ------------------------------------------------------------------------------------------------------

/// All that there is to say.
struct PlacementReport {
  PlanRequest request;
  ResultTable summary;                  ///< a row per placement that was found
  std::vector<Alternative> placements;  ///< in the same order, as `found.best` is
  std::optional<std::size_t> best;      ///< the recommended one; none where none could be measured
  PlacementField field;
  FoundPlacements found;
  RowComparisons comparisons;
  std::vector<std::string> recording;  ///< what a recording does not say: sentences, with the table
  std::vector<std::string> remarks;    ///< the experiment's, for programs: commands say them beside

  [[nodiscard]] double confidence() const { return placements.front().plan.confidence; }
  /// That of each placement's safe deadline.
  [[nodiscard]] double confidence_of_limits() const { return promise_confidence(placements.size(), confidence()); }
  [[nodiscard]] const NamedPlacement* recommended() const { return best ? &found.best[*best] : nullptr; }
  [[nodiscard]] const std::vector<Workstation>& machines() const {
    return placements.front().scenario->platform->workstations;
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

/// What stands for a placement in an experiment: job.placement, and job.ranks_per_machine where all ranks stand in rows
/// of equal length.
struct PlacementKeys {
  std::string machines;  ///< "[fast1, fast2]"
  std::size_t ranks_per_machine = 1;
};
PlacementKeys placement_keys(const Placement& placement, const std::vector<Workstation>& machines);

/// "0-3, 7".
std::string ranks_text(const std::vector<std::size_t>& ranks);

/// For people estimates, comparisons with the best, who is where, advice. CSV: a row per placement, in SI. JSON: all of it.
Answer placement_answer(PlacementReport report);

}  // namespace nowsim
