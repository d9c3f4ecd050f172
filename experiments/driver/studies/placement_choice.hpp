// On which machines the ranks of a recorded program are best: machines and ranks as a search sees them, where it begins,
// what it tries, judged by simulation; measured on random numbers that the search has not seen; and the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/comparison.hpp"
#include "experiments/driver/studies/machine_choice.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "workloads/mpi/compiled_mpi_trace.hpp"

namespace nowsim {

/// Messages and their bytes, of both directions together.
struct RankTraffic {
  double messages = 0;
  double bytes = 0;
  RankTraffic& operator+=(const RankTraffic& other) {
    messages += other.messages;
    bytes += other.bytes;
    return *this;
  }
};

struct MpiLoads {
  std::vector<double> rank_flop;                         ///< of each rank
  std::vector<std::map<std::size_t, RankTraffic>> with;  ///< of each rank with others, by message to one rank
  std::vector<RankTraffic> with_all;                     ///< by its part in collective calls, with all others together

  [[nodiscard]] std::size_t ranks() const { return rank_flop.size(); }
  /// Collective calls count as if they went evenly to all.
  [[nodiscard]] RankTraffic between(std::size_t a, std::size_t b) const;
  [[nodiscard]] bool communicates() const;
};

/// Goes once through the trace. @param scale of all that it computes.
MpiLoads loads_of(const MpiTrace& trace, double scale);

/// Of each rank its machine.
using Placement = std::vector<std::size_t>;

/// A machine as ranks see it.
struct PlaceForRanks {
  double speed_flops = 0;  ///< of a core, on average as the owner leaves it
  int cores = 1;
  std::size_t most_ranks = 1;
  std::size_t kind = 0;  ///< machines of one kind have the same speed, cores and owner
};

/// What lies between two machines.
struct MachineDistance {
  double latency_s = 0;
  double s_per_byte = 0;
  bool operator==(const MachineDistance&) const = default;
};

struct PlacementField {
  std::vector<PlaceForRanks> machines;
  MpiLoads loads;
  std::vector<MachineDistance> distances;  ///< from machine a to b at a·machines + b; none: not known, or not wanted
  bool has_alike_machines = false;  ///< machines of a kind may stand for one another, wherever they are
  bool has_deadline = false, has_risk = false;

  /// So long the ranks on a machine compute, by its mean speed and if nothing makes them wait [s].
  [[nodiscard]] double computing_s(std::size_t machine, const std::vector<std::size_t>& ranks) const;
};

/// So many ranks may be on each machine: as many as it has cores, as many times as it takes to take all ranks; or so
/// many. Machines that have no speed to leave take none. @throws InputError where that is too few for all ranks.
void allow_ranks(PlacementField& field, std::size_t most_per_machine = 0);

/// Finds out whether machines of a kind may stand for one another: where no messages travel, or where all that take ranks
/// are as far from each other by their routes.
void find_alike_machines(PlacementField& field);
/// Where they may: the placement on the first machines of each kind, in the order of the ranks that are on them.
Placement as_first_of_its_kind(const PlacementField& field, const Placement& placement);

/// The ranks on each of so many machines.
std::vector<std::vector<std::size_t>> ranks_by_machine(const Placement& placement, std::size_t machines);

struct NamedPlacement {
  std::string name;
  Placement machines;
};

/// Where the search begins, each placement once: `in turn` (on the machines that take ranks, where it has
/// some on others), then ranks as they are numbered on the fastest machines and on the fastest cores, heavy ranks first
/// each where it would be through soonest, and those that exchange much near each other.
std::vector<NamedPlacement> first_placements(const PlacementField& field, const Placement& in_turn);

/// A search tries no more.
inline constexpr std::size_t kMostPlacements = 400;

/// What placements are judged by: at a risk by the time that is kept at it, with a deadline or without (where all miss the
/// deadline, who misses it least often may do so by a gamble); else by how often they miss the deadline, or by tau.
inline MachineField judged_by(const PlacementField& field) {
  return {.has_deadline = field.has_deadline && !field.has_risk, .has_risk = field.has_risk};
}

/// Tries these, and from the best of them on placements in which two ranks swap machines, or one moves to a machine that
/// has none or has room, as long as that helps. What it tried stands in the result by MachineSearch's rules, with
/// placements in the place of sets. `judge` may give fewer outcomes than it was asked for: the search ends then.
MachineSearch search_placements(const PlacementField& field, const std::vector<NamedPlacement>& first,
                                const JudgeSets& judge, std::size_t most_tried = kMostPlacements);

// ---- the choice -----------------------------------------------------------------------------------------------------

/// The scenario's machines as its program's ranks see them. @throws InputError where there is no room for all ranks;
/// what look_for_routes() throws.
PlacementField placement_field(const Scenario& scenario, const MpiTrace& trace, const PlanRequest& request);

/// How a search is simulated, and how far it goes.
struct PlacementTrials {
  std::size_t placements = kMostPlacements;  ///< the most that are tried
  std::uint64_t first_replications = 100;  ///< of each placement
  std::uint64_t replications = 1000;       ///< of the best ones, again; and of what is measured
};
/// What there is time for: fewer placements, and where that is not enough fewer replications, in whole tens.
/// @param replication_s of one, on all processes together. @param is_asked the replications are not to be fewer.
/// @throws InputError where that is too few, saying how long it would take.
PlacementTrials trials_in_time(double replication_s, std::uint64_t replications, double most_s, bool is_asked);
/// How long replications take by rough estimates, on so many processes [s].
double estimated_replication_s(const Point& point, int jobs);
/// Of the time that a plan has the share in which placements are searched; in the rest the best are measured.
inline constexpr double kShareOfSearch = 0.6;

struct FoundPlacements {
  std::vector<NamedPlacement> best;  ///< those that it began with and that can run, and up to three that it found
  std::size_t tried = 0;
  std::uint64_t replications = 0;  ///< simulated in the search
  SetObjective objective = SetObjective::tau;
  std::uint64_t seed = 0;
  bool was_ended = false;  ///< since its time was over
};

/// Judges placements as `--subset` judges sets: by RF where it differs, then the quantile at the risk, then tau.
/// @throws RunError where no placement could be simulated.
FoundPlacements find_placements(const Point& point, const PlacementField& field, const PlanRequest& request,
                                const PlacementTrials& trials, const StudyManner& manner);

/// The name of the axis along which placements differ.
inline constexpr const char* kPlacementAxis = "placement";
/// A point per placement, all on the random numbers of the experiment's seed.
Experiment placements_experiment(const Experiment& described, const std::vector<NamedPlacement>& placements,
                                 std::uint64_t replications);

/// Comparisons with the best placement by tau, and with a deadline by RF.
RowComparisons compare_placements(const ResultTable& summary, bool has_deadline);

// ---- the answer ------------------------------------------------------------------------------------------------------

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
