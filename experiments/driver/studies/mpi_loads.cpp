// Adding up a trace's actions.
#include "experiments/driver/studies/mpi_loads.hpp"

#include <algorithm>

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

}  // namespace nowsim
