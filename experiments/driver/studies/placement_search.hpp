// Looking for machines on which the ranks of a program do best: machines and ranks as the search sees them, where it begins,
// what it tries, and in which order.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "experiments/driver/studies/machine_search.hpp"
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

/// What a search may use.
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

/// How far a search may go.
struct PlacementEffort {
  std::size_t rounds = 12;
  std::size_t placements = 400;  ///< the most that are tried
};

/// What placements are judged by: at a risk by the time that is kept at it, with a deadline or without (where all miss the
/// deadline, who misses it least often may do so by a gamble); else by how often they miss the deadline, or by tau.
inline MachineField judged_by(const PlacementField& field) {
  return {.has_deadline = field.has_deadline && !field.has_risk, .has_risk = field.has_risk};
}

/// Tries these, and from the best of them on placements in which two ranks swap machines, or one moves to a machine that
/// has none or has room, as long as that helps. What it tried stands in the result by MachineSearch's rules, with
/// placements in the place of sets. `judge` may give fewer outcomes than it was asked for: the search ends then.
MachineSearch search_placements(const PlacementField& field, const std::vector<NamedPlacement>& first,
                                const JudgeSets& judge, const PlacementEffort& effort = {});

}  // namespace nowsim
