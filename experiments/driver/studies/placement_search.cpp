// Adding up a trace's actions; dealing ranks out, and greedy placements; a local search from the best of them.
#include "experiments/driver/studies/placement_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

bool is_collective(MpiCall call) { return call >= MpiCall::barrier; }

/// Whether an action's amount is in bytes: of a reducescatter it is what it computes.
double bytes_of(const MpiTrace& trace, const MpiAction& action) {
  double bytes = action.call == MpiCall::reducescatter ? 0 : action.amount;
  for (const double count : trace.counts(action)) bytes += count;
  return bytes;
}

}  // namespace

RankTraffic MpiLoads::between(std::size_t a, std::size_t b) const {
  const double others = static_cast<double>(ranks()) - 1;
  RankTraffic out{(with_all[a].messages + with_all[b].messages) / others,
                  (with_all[a].bytes + with_all[b].bytes) / others};
  if (const auto known = with[a].find(b); known != with[a].end()) out += known->second;
  return out;
}

bool MpiLoads::communicates() const {
  return std::ranges::any_of(with, [](const auto& of_one) { return !of_one.empty(); }) ||
         std::ranges::any_of(with_all, [](const RankTraffic& t) { return t.messages > 0; });
}

MpiLoads loads_of(const MpiTrace& trace, double scale) {
  MpiLoads loads;
  const auto ranks = static_cast<std::size_t>(trace.ranks());
  loads.with.resize(ranks);
  loads.with_all.resize(ranks);
  for (const double flop : trace.facts().rank_flop) loads.rank_flop.push_back(scale * flop);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (const MpiAction action : trace.actions(rank)) {  // what is checked is what is used
      if (is_collective(action.call)) loads.with_all[rank] += {1, bytes_of(trace, action)};
      const auto peer = static_cast<std::size_t>(action.peer);
      if (!sends_to_one(action.call) || peer == rank || peer >= ranks) continue;
      for (const auto& [one, other] : {std::pair(rank, peer), std::pair(peer, rank)})
        loads.with[one][other] += {1, action.amount};
    }
  return loads;
}

namespace {

std::vector<std::size_t> fastest_machines(const PlacementField& field) {
  return by_descending(field.machines.size(), [&](std::size_t m) { return field.machines[m].speed_flops; });
}

/// Ranks, those that compute the most first.
std::vector<std::size_t> heaviest_ranks(const PlacementField& field) {
  return by_descending(field.loads.ranks(), [&](std::size_t rank) { return field.loads.rank_flop[rank]; });
}

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

namespace {

/// A placement in the making: what it has on each machine, and what its times come to.
class PlacedRanks {
 public:
  explicit PlacedRanks(const PlacementField& field)
      : field_(field), on_(field.machines.size()), machine_of_(field.loads.ranks(), kNowhere) {}
  PlacedRanks(const PlacementField& field, const Placement& placement) : PlacedRanks(field) {
    for (std::size_t rank = 0; rank < placement.size(); ++rank) put(rank, placement[rank]);
  }

  void put(std::size_t rank, std::size_t machine) {
    on_[machine].push_back(rank);
    machine_of_[rank] = machine;
  }
  [[nodiscard]] const Placement& placement() const { return machine_of_; }
  [[nodiscard]] bool has_room(std::size_t machine) const {
    return on_[machine].size() < field_.machines[machine].most_ranks;
  }
  [[nodiscard]] bool is_unused(std::size_t machine) const { return on_[machine].empty(); }
  [[nodiscard]] std::size_t ranks_on(std::size_t machine) const { return on_[machine].size(); }
  [[nodiscard]] double computing_s(std::size_t machine) const { return field_.computing_s(machine, on_[machine]); }
  [[nodiscard]] double computing_with_s(std::size_t machine, std::size_t rank) const {
    std::vector<std::size_t> ranks = on_[machine];
    ranks.push_back(rank);
    return field_.computing_s(machine, ranks);
  }
  /// What a rank exchanges with those that are placed, by their machines.
  [[nodiscard]] std::vector<RankTraffic> traffic_of(std::size_t rank) const {
    std::vector<RankTraffic> out(field_.distances.empty() ? 0 : on_.size());
    for (std::size_t other = 0; other < machine_of_.size() && !out.empty(); ++other)
      if (other != rank && machine_of_[other] != kNowhere) out[machine_of_[other]] += field_.loads.between(rank, other);
    return out;
  }
  /// How long that takes from a machine, one message after another [s].
  [[nodiscard]] double messages_s(const std::vector<RankTraffic>& traffic, std::size_t machine) const {
    double sum_s = 0;
    for (std::size_t other = 0; other < traffic.size(); ++other) sum_s += message_s(traffic[other], machine, other);
    return sum_s;
  }
  [[nodiscard]] double message_s(const RankTraffic& traffic, std::size_t from, std::size_t to) const {
    const MachineDistance& d = field_.distances[from * field_.machines.size() + to];
    return traffic.messages * d.latency_s + traffic.bytes * d.s_per_byte;
  }
  /// The machine with room of which `cost` is least; of equals the first of `order`.
  template <class F>
  [[nodiscard]] std::size_t cheapest(const std::vector<std::size_t>& order, F cost) const {
    std::size_t best = kNowhere;
    double least = kInfinity;
    for (const std::size_t machine : order) {
      if (!has_room(machine)) continue;
      const double here = cost(machine);
      if (best != kNowhere && !(here < least)) continue;
      best = machine;
      least = here;
    }
    return best;
  }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  const PlacementField& field_;
  std::vector<std::vector<std::size_t>> on_;
  Placement machine_of_;
};

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

namespace {

constexpr std::size_t kMostPlacementRounds = 12, kMostRanksMoved = 8, kMostPartners = 8, kMostPartnersNear = 2,
                      kMostNear = 4;

void keep_first(std::vector<std::size_t>& numbers, std::size_t most) {
  if (numbers.size() > most) numbers.resize(most);
}

class PlacementSearch {
 public:
  PlacementSearch(const PlacementField& field, const JudgeSets& judge, std::size_t most_tried)
      : field_(field), judge_(judge), most_tried_(most_tried) {}

  MachineSearch run(const std::vector<NamedPlacement>& first) {
    std::vector<Placement> begun;
    for (const auto& one : first) begun.push_back(one.machines);
    bool goes_on = evaluate(begun);
    search_.choose_objective(judged_by(field_));
    for (std::size_t round = 0; round < kMostPlacementRounds && goes_on && !search_.tried.empty(); ++round) {
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
    const std::size_t left = most_tried_ - std::min(most_tried_, search_.tried.size());
    const bool is_last = placements.size() >= left;
    if (placements.size() > left) placements.resize(left);
    if (placements.empty()) return false;
    const std::size_t judged = search_.try_sets(placements, judge_);
    return !is_last && judged == placements.size();
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
  std::size_t most_tried_;
  MachineSearch search_;
};

}  // namespace

MachineSearch search_placements(const PlacementField& field, const std::vector<NamedPlacement>& first,
                                const JudgeSets& judge, std::size_t most_tried) {
  return PlacementSearch(field, judge, most_tried).run(first);
}

}  // namespace nowsim
