// A local search from the best of some placements.
#include "experiments/driver/studies/placement_search.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "experiments/driver/studies/placed_ranks.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostRanksMoved = 8, kMostPartners = 8, kMostPartnersNear = 2, kMostNear = 4;

void keep_first(std::vector<std::size_t>& numbers, std::size_t most) {
  if (numbers.size() > most) numbers.resize(most);
}

class PlacementSearch {
 public:
  PlacementSearch(const PlacementField& field, const JudgeSets& judge, const PlacementEffort& effort)
      : field_(field), judge_(judge), effort_(effort) {}

  MachineSearch run(const std::vector<NamedPlacement>& first) {
    std::vector<Placement> begun;
    for (const auto& one : first) begun.push_back(one.machines);
    bool goes_on = evaluate(begun);
    search_.choose_objective(judged_by(field_));
    for (std::size_t round = 0; round < effort_.rounds && goes_on && !search_.tried.empty(); ++round) {
      const Placement before = search_.best(1).front();
      goes_on = evaluate(neighbours(before)) && search_.best(1).front() != before;
      search_.choose_objective(judged_by(field_));
    }
    return std::move(search_);
  }

 private:
  /// Those that are new, as many as are allowed; whether the search goes on.
  bool evaluate(const std::vector<Placement>& asked) {
    std::vector<Placement> placements;
    std::set<Placement> known;
    for (const auto& one : asked)
      if (const Placement placement = as_first_of_its_kind(field_, one);
          !search_.tried.contains(placement) && known.insert(placement).second)
        placements.push_back(placement);
    const std::size_t left = effort_.placements - std::min(effort_.placements, search_.tried.size());
    const bool is_last = placements.size() >= left;
    if (placements.size() > left) placements.resize(left);
    if (placements.empty()) return false;
    const auto outcomes = judge_(placements);
    for (std::size_t k = 0; k < outcomes.size(); ++k) search_.tried[placements[k]] = outcomes[k];
    return !is_last && outcomes.size() == placements.size();
  }

  /// What may help most first: ranks that take long, by computing and by messages, change their machines.
  [[nodiscard]] std::vector<Placement> neighbours(const Placement& now) const {
    const PlacedRanks places(field_, now);
    std::vector<double> times_s(now.size());
    for (std::size_t rank = 0; rank < now.size(); ++rank)
      times_s[rank] = places.computing_s(now[rank]) + places.messages_s(places.traffic_of(rank), now[rank]);
    std::vector<std::size_t> slow = by_descending(now.size(), [&](std::size_t rank) { return times_s[rank]; });
    std::vector<std::size_t> quick(slow.rbegin(), slow.rend());
    keep_first(slow, kMostRanksMoved);
    std::vector<Placement> out;
    const std::vector<std::size_t> targets = machines_to_move_to(places);
    for (const std::size_t rank : slow) {
      for (const std::size_t machine : targets) move(now, places, rank, machine, out);
      for (std::size_t k = 0; k < std::min(kMostPartners, quick.size()); ++k) swap(now, rank, quick[k], out);
      move_nearer(now, places, rank, out);
    }
    return out;
  }
  /// The fastest that have no rank, and the fastest that have some and room for another.
  [[nodiscard]] std::vector<std::size_t> machines_to_move_to(const PlacedRanks& places) const {
    std::vector<std::size_t> unused, used;
    for (const std::size_t machine : fastest_machines(field_))
      if (places.has_room(machine)) (places.is_unused(machine) ? unused : used).push_back(machine);
    keep_first(unused, kMostPartners);
    keep_first(used, kMostPartners);
    unused.insert(unused.end(), used.begin(), used.end());
    return unused;
  }
  /// To the machines that are nearest to those with which it exchanges the most: beside them where there is room, else in
  /// the place of another rank.
  void move_nearer(const Placement& now, const PlacedRanks& places, std::size_t rank, std::vector<Placement>& out) const {
    if (field_.distances.empty()) return;
    const auto between_s = [&](std::size_t machine, std::size_t other) {
      return other == rank ? 0 : places.message_s(field_.loads.between(rank, other), machine, now[other]);
    };
    std::vector<std::size_t> partners =
        by_descending(now.size(), [&](std::size_t other) { return between_s(now[rank], other); });
    keep_first(partners, kMostPartnersNear);
    for (const std::size_t partner : partners) {
      if (!(between_s(now[rank], partner) > 0)) continue;
      std::vector<std::size_t> near =
          by_descending(field_.machines.size(), [&](std::size_t m) { return -between_s(m, partner); });
      std::erase_if(near, [&](std::size_t m) { return field_.machines[m].most_ranks == 0; });
      keep_first(near, kMostNear);
      for (const std::size_t machine : near) {
        move(now, places, rank, machine, out);
        for (std::size_t other = 0; other < now.size(); ++other)
          if (now[other] == machine && other != partner) swap(now, rank, other, out);
      }
    }
  }

  static void move(const Placement& now, const PlacedRanks& places, std::size_t rank, std::size_t machine,
                   std::vector<Placement>& out) {
    if (now[rank] == machine || !places.has_room(machine)) return;
    out.push_back(now);
    out.back()[rank] = machine;
  }
  static void swap(const Placement& now, std::size_t a, std::size_t b, std::vector<Placement>& out) {
    if (now[a] == now[b]) return;
    out.push_back(now);
    std::swap(out.back()[a], out.back()[b]);
  }

  const PlacementField& field_;
  const JudgeSets& judge_;
  PlacementEffort effort_;
  MachineSearch search_;
};

}  // namespace

MachineSearch search_placements(const PlacementField& field, const std::vector<NamedPlacement>& first,
                                const JudgeSets& judge, const PlacementEffort& effort) {
  return PlacementSearch(field, judge, effort).run(first);
}

}  // namespace nowsim
