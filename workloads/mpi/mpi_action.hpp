// One action of a rank of a recorded MPI program, as a compiled trace holds it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/program/rank_operations.hpp"

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

inline constexpr std::size_t kMpiCalls = static_cast<std::size_t>(MpiCall::exscan) + 1;

/// Of an action of this call: how many counts go with it for each rank of the trace.
constexpr std::size_t counts_per_rank(MpiCall call) {
  const bool has_one = call == MpiCall::gatherv || call == MpiCall::scatterv || call == MpiCall::allgatherv ||
                       call == MpiCall::reducescatter;
  return call == MpiCall::alltoallv ? 2 : has_one ? 1 : 0;
}

/// Whether an action of this call sends a message to one rank.
constexpr bool sends_to_one(MpiCall call) {
  return (call >= MpiCall::send && call <= MpiCall::issend) || call == MpiCall::sendrecv;
}
/// Whether it receives one, and does nothing else.
constexpr bool receives_alone(MpiCall call) { return call == MpiCall::recv || call == MpiCall::irecv; }

/// The most that a trace may have: a number above is no rank's, and would be taken to make memory for.
inline constexpr int kMostMpiRanks = 1 << 24;

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

/// Whether a double is something of which there is so much.
inline bool is_quantity(double value) { return value >= 0 && std::isfinite(value); }

/// Whether the call and the ranks of an action are such as a trace of so many ranks has: what indexes anything. Quick,
/// to be asked of each action that is replayed.
inline bool has_sound_indices(const MpiAction& a, int ranks) {
  constexpr auto bit = [](MpiCall call) { return 1U << static_cast<unsigned>(call); };
  constexpr unsigned kFromAny = bit(MpiCall::recv) | bit(MpiCall::irecv) | bit(MpiCall::test) | bit(MpiCall::wait);
  if (a.call > MpiCall::exscan) return false;
  const unsigned own = bit(a.call);
  const bool may_any_peer = (own & kFromAny) != 0, may_any_other = a.call == MpiCall::sendrecv;
  const auto is_rank = [ranks](std::int32_t rank, bool may_any) {  // one comparison: below 0 is above all as unsigned
    return static_cast<std::uint32_t>(rank) + may_any < static_cast<std::uint32_t>(ranks) + may_any;
  };
  return (static_cast<int>(is_rank(a.peer, may_any_peer)) & static_cast<int>(is_rank(a.other, may_any_other))) != 0;
}
static_assert(static_cast<unsigned>(MpiCall::exscan) < 32);

/// The counts of an action of so many ranks, out of those of the whole trace; none where it has none, or names a place
/// that is not there.
inline std::span<const double> counts_of(const MpiAction& a, int ranks, std::span<const double> all) {
  const std::size_t n = counts_per_rank(a.call) * static_cast<std::size_t>(ranks);
  const bool is_there = n <= all.size() && a.second >= 0 && a.second <= static_cast<double>(all.size() - n);
  return n > 0 && is_there ? all.subspan(static_cast<std::size_t>(a.second), n) : std::span<const double>();
}
/// Whether they are all there that the action's call has.
inline bool has_counts(const MpiAction& a, int ranks, std::span<const double> all) {
  return counts_of(a, ranks, all).size() == counts_per_rank(a.call) * static_cast<std::size_t>(ranks);
}

}  // namespace nowsim
