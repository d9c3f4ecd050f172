// Dealing ranks out, and greedy placements.
#include "experiments/driver/studies/first_placements.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "experiments/driver/studies/placed_ranks.hpp"

namespace nowsim {
namespace {

std::vector<std::size_t> first_numbers(std::size_t n) {
  std::vector<std::size_t> out(n);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

/// In the machines' order, so many ranks on each before the next one's (all it takes: `deep`), then round again.
Placement dealt(const PlacementField& field, const std::vector<std::size_t>& order, bool deep) {
  PlacedRanks places(field);
  std::size_t rank = 0;
  while (rank < field.loads.ranks())
    for (const std::size_t machine : order)
      for (bool is_first = true; rank < field.loads.ranks() && places.has_room(machine) && (is_first || deep);
           is_first = false)
        places.put(rank++, machine);
  return places.placement();
}

Placement heavy_ranks_first(const PlacementField& field) {
  PlacedRanks places(field);
  const auto order = fastest_machines(field);
  for (const std::size_t rank : heaviest_ranks(field))
    places.put(rank, places.cheapest(order, [&](std::size_t m) { return places.computing_with_s(m, rank); }));
  return places.placement();
}

/// One after another the rank that exchanges the most with those that are placed, where computing and these messages
/// take the least.
Placement near_each_other(const PlacementField& field) {
  PlacedRanks places(field);
  const auto order = fastest_machines(field);
  std::vector<std::size_t> left = heaviest_ranks(field);
  std::vector<double> bytes_with_placed(field.loads.ranks(), 0);
  while (!left.empty()) {
    const auto next = std::ranges::max_element(left, {}, [&](std::size_t rank) { return bytes_with_placed[rank]; });
    const std::size_t rank = *next;
    left.erase(next);
    const auto traffic_by_machine = places.traffic_of(rank);
    places.put(rank, places.cheapest(order, [&](std::size_t m) {
      return places.computing_with_s(m, rank) + places.messages_s(traffic_by_machine, m);
    }));
    for (const std::size_t other : left) {
      const RankTraffic traffic = field.loads.between(rank, other);
      bytes_with_placed[other] += traffic.bytes + traffic.messages;  // empty messages count too
    }
  }
  return places.placement();
}

/// Whether its machines can all run something.
bool can_run(const PlacementField& field, const Placement& placement) {
  return std::ranges::all_of(placement, [&](std::size_t m) { return field.machines[m].most_ranks > 0; });
}

}  // namespace

std::vector<NamedPlacement> first_placements(const PlacementField& field, const Placement& in_turn) {
  const auto fastest = fastest_machines(field);
  std::vector<NamedPlacement> all;
  all.push_back({"in turn", can_run(field, in_turn) ? in_turn : dealt(field, first_numbers(field.machines.size()), false)});
  all.push_back({"fastest machines", dealt(field, fastest, false)});
  all.push_back({"fastest cores", dealt(field, fastest, true)});
  all.push_back({"heavy ranks first", heavy_ranks_first(field)});
  if (field.loads.communicates() && !field.distances.empty())
    all.push_back({"near each other", near_each_other(field)});
  std::set<Placement> known;
  for (auto& one : all) one.machines = as_first_of_its_kind(field, one.machines);
  std::erase_if(all, [&](const NamedPlacement& one) { return !known.insert(one.machines).second; });
  return all;
}

}  // namespace nowsim
