// One action of a rank of a recorded MPI program, as a compiled trace holds it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/program/request.hpp"

namespace nowsim {

/// What a rank of a recorded program does next: the actions of SMPI's time-independent traces.
enum class MpiCall : std::uint8_t {
  init,
  finalize,
  compute,
  sleep,
  send,
  isend,
  ssend,
  issend,
  recv,
  irecv,
  test,
  wait,
  waitall,
  waitany,
  sendrecv,
  barrier,
  bcast,
  reduce,
  allreduce,
  alltoall,
  alltoallv,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  reducescatter,
  scan,
  exscan,
};

/// Of an action of this call: how many counts go with it for each rank of the trace.
constexpr std::size_t counts_per_rank(MpiCall call) {
  switch (call) {
    case MpiCall::gatherv:
    case MpiCall::scatterv:
    case MpiCall::allgatherv:
    case MpiCall::reducescatter:
      return 1;
    case MpiCall::alltoallv:
      return 2;
    default:
      return 0;
  }
}

/// As MPI_ANY_SOURCE: of a recv, an irecv, a test or a wait. As MPI_ANY_TAG they have kAnyTag.
inline constexpr std::int32_t kAnySource = -1;
/// Bytes of a receive that takes whatever comes.
inline constexpr double kAnyBytes = -1;

/// An action with its data; sizes are in bytes (elements times their type's size).
struct MpiAction {
  MpiCall call = MpiCall::init;
  std::uint32_t line = 0;  ///< in its rank's file, 1-based
  /// The partner of a message; the root of a collective; who sent what a test or a wait is for; of a sendrecv whom it
  /// sends to.
  std::int32_t peer = 0;
  std::int32_t other = 0;  ///< who gets what a test or a wait is for; of a sendrecv whom it receives from
  std::int32_t tag = 0;    ///< of a message, and what a test or a wait is for
  std::int32_t unused = 0;
  /// Flop of a compute, seconds of a sleep, requests of a waitall or waitany; of messages and collectives the bytes that
  /// the rank sends (to each, where there are several), or receives; flop of a reducescatter.
  double amount = 0;
  /// Bytes that a sendrecv, gather, scatter, allgather or alltoall receives (from each); flop that a reduce, allreduce, scan
  /// or exscan computes at its end; of a call that has counts the place of the first of them (a whole number).
  double second = 0;
};

}  // namespace nowsim
