// What of a field follows from the rest of it.
#include "experiments/driver/studies/placement_field.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

/// Whether all machines that take ranks are as far from each other, as far as it matters.
bool is_uniform(const PlacementField& field) {
  if (field.distances.empty()) return !field.loads.communicates();
  const std::size_t n = field.machines.size();
  const MachineDistance* first = nullptr;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      if (a == b || field.machines[a].most_ranks == 0 || field.machines[b].most_ranks == 0) continue;
      const MachineDistance& d = field.distances[a * n + b];
      if (first == nullptr) first = &d;
      if (d != *first) return false;
    }
  return true;
}

}  // namespace

Placement as_first_of_its_kind(const PlacementField& field, const Placement& placement) {
  if (!field.has_alike_machines) return placement;
  Placement out;
  std::map<std::size_t, std::size_t> stand_in;   // of each machine
  std::map<std::size_t, std::size_t> next_of_kind;  // where to look on
  for (const std::size_t machine : placement) {
    const auto [known, is_new] = stand_in.try_emplace(machine, 0);
    if (is_new) {
      const std::size_t kind = field.machines[machine].kind;
      std::size_t& next = next_of_kind.try_emplace(kind, 0).first->second;
      while (field.machines[next].kind != kind) ++next;
      known->second = next++;
    }
    out.push_back(known->second);
  }
  return out;
}

double PlacementField::computing_s(std::size_t machine, const std::vector<std::size_t>& ranks) const {
  double most_flop = 0, all_flop = 0;
  for (const std::size_t rank : ranks) {
    most_flop = std::max(most_flop, loads.rank_flop[rank]);
    all_flop += loads.rank_flop[rank];
  }
  const PlaceForRanks& m = machines[machine];
  return all_flop > 0 ? std::max(most_flop, all_flop / m.cores) / m.speed_flops : 0;
}

std::vector<std::size_t> fastest_machines(const PlacementField& field) {
  return by_descending(field.machines.size(), [&](std::size_t m) { return field.machines[m].speed_flops; });
}

std::vector<std::size_t> heaviest_ranks(const PlacementField& field) {
  return by_descending(field.loads.ranks(), [&](std::size_t rank) { return field.loads.rank_flop[rank]; });
}

void find_alike_machines(PlacementField& field) { field.has_alike_machines = is_uniform(field); }

void allow_ranks(PlacementField& field, std::size_t most_per_machine) {
  std::size_t cores = 0, usable = 0;
  for (auto& machine : field.machines) {
    machine.most_ranks = 0;
    if (!(machine.speed_flops > 0)) continue;
    ++usable;
    machine.most_ranks = most_per_machine > 0 ? most_per_machine : static_cast<std::size_t>(machine.cores);
    cores += machine.most_ranks;
  }
  const std::size_t ranks = field.loads.ranks();
  if (usable == 0) throw InputError("no machine can run a rank: their owners leave nothing");
  if (cores >= ranks) return;
  if (most_per_machine > 0)
    throw InputError("--per-machine " + std::to_string(most_per_machine) + ": the program has " + std::to_string(ranks) +
                     " ranks, and " + std::to_string(usable) +
                     (usable == 1 ? " machine takes" : " machines take") + " no more than " + std::to_string(cores));
  const std::size_t rounds = (ranks + cores - 1) / cores;
  for (auto& machine : field.machines) machine.most_ranks *= rounds;
}

std::vector<std::vector<std::size_t>> ranks_by_machine(const Placement& placement, std::size_t machines) {
  std::vector<std::vector<std::size_t>> out(machines);
  for (std::size_t rank = 0; rank < placement.size(); ++rank) out[placement[rank]].push_back(rank);
  return out;
}

}  // namespace nowsim
