// What can be told of a recorded program before it is simulated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/mpi/mpi_action.hpp"

namespace nowsim {

inline constexpr std::size_t kMpiCalls = static_cast<std::size_t>(MpiCall::exscan) + 1;

/// Beside a trace's list, sentences that are to be said with its results, one a line; or there is none.
inline constexpr const char* kMpiRemarksFile = "remarks.txt";

struct MpiTraceFacts {
  int ranks = 0;
  std::uint64_t actions = 0;
  std::uint64_t messages = 0;                    ///< of sends to one rank, those of a sendrecv too
  double message_bytes = 0;                      ///< of all of them
  double flop = 0;                               ///< of all ranks: computes, and what reductions compute at their end
  std::vector<double> rank_flop;                 ///< of each rank
  std::array<std::uint64_t, kMpiCalls> calls{};  ///< of each MpiCall, how many
  std::uint64_t any_source_receives = 0;
  std::uint64_t tests = 0;
  std::uint64_t waitanys = 0;
  std::vector<std::string> warnings;  ///< sentences: what a time-independent trace leaves open in this one
};

}  // namespace nowsim
