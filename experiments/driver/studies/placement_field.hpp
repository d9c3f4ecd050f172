// Machines and ranks as a search for a placement sees them: how fast, how far from each other, how many where.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "experiments/driver/studies/mpi_loads.hpp"

namespace nowsim {

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

/// Machines, the fastest first.
std::vector<std::size_t> fastest_machines(const PlacementField& field);
/// Ranks, those that compute the most first.
std::vector<std::size_t> heaviest_ranks(const PlacementField& field);

/// Finds out whether machines of a kind may stand for one another: where no messages travel, or where all that take ranks
/// are as far from each other by their routes.
void find_alike_machines(PlacementField& field);
/// Where they may: the placement on the first machines of each kind, in the order of the ranks that are on them.
Placement as_first_of_its_kind(const PlacementField& field, const Placement& placement);

/// The ranks on each of so many machines.
std::vector<std::vector<std::size_t>> ranks_by_machine(const Placement& placement, std::size_t machines);

/// Numbers below n, those first of which `of` is greatest.
template <class F>
std::vector<std::size_t> by_descending(std::size_t n, F of) {
  std::vector<double> keys(n);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = of(i);
    order[i] = i;
  }
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return keys[i]; });
  return order;
}

}  // namespace nowsim
