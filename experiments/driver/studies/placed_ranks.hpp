// Some ranks on machines, and what their times come to by mean speeds and routes, without simulation.
#pragma once

#include <cstddef>
#include <vector>

#include "experiments/driver/studies/placement_field.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {

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

}  // namespace nowsim
