// Random parallel programs that always end: operations of ranks in one order, which all ranks follow.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/program/workload.hpp"
#include "tools/verify/random_draws.hpp"

namespace nowsim {

/// One operation of a program, and who takes part. Each rank goes through its operations in the program's order, so that
/// nobody waits for what cannot come.
struct RandomOperation {
  enum class Kind {
    compute,    ///< `rank` computes `amount` [flop]
    sleep,      ///< `rank` waits `amount` [s]
    transfer,   ///< `rank` moves `amount` bytes over its own path
    barrier,    ///< all; it costs `amount` [s]
    messages,   ///< of each pair of `pairs` the first sends `amount` bytes to the second: first all send, then receive
    collect,    ///< the pairs' first ranks send to `rank`, which takes what is there first; between barriers
    broadcast, scatter, gather, reduce,  ///< of `amount` bytes, `rank` is the root
  };
  Kind kind;
  int rank = 0;
  double amount = 0;
  std::vector<std::pair<int, int>> pairs = {};
  bool buffered = false;     ///< messages travel by themselves; else senders wait for their receivers
  bool binomial = false;     ///< the tree of a collective operation
  double patience_s = 0;     ///< after so long receivers (of a rendezvous senders too) give up, compute, and ask again,
                             ///< twice at most; 0: they wait
  /// How many numbers the operation takes to write down: what shrinking makes less of.
  [[nodiscard]] std::size_t size() const { return 1 + pairs.size() + (patience_s > 0 ? 1 : 0); }
};
using RandomProgram = std::vector<RandomOperation>;

/// @param own_paths whether machines have paths of their own to transfer over.
RandomProgram random_program(int ranks, bool own_paths, RandomDraws& draws);
/// Without what a rank does; those after it move up.
RandomProgram without_rank(const RandomProgram& program, int rank);

/// What one rank does. The program outlives the process.
Process follow(const RandomProgram& program, Rank& self);
/// A line each: "rank 0 computes 100 flop".
std::string program_text(const RandomProgram& program);

}  // namespace nowsim
