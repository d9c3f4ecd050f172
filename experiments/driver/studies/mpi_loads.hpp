// What each rank of a program computes, and how much it exchanges with which others: what its placement depends on.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

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

}  // namespace nowsim
