// A master's part in a parallel program (PVM's scheme in ZY 4.2): rank 0 starts the tasks, deals the data out and takes
// the results back.
#pragma once

#include <functional>

#include "sim/base/keys.hpp"
#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/parts/message_work.hpp"

namespace nowsim {

/// How many bytes travel between rank 0 and another rank, which may be asked for by any of them; 0: no message does.
using BytesOfRank = std::function<double(int rank)>;

/// That both of the following send per rank but the master.
inline constexpr double kMessagesOfMaster = 2;

/// To be awaited by every rank first: rank i begins when i tasks have been started, and rank 0, which starts them, when
/// all have been (PVM's pvm_spawn). A rank alone starts none.
Process begin_after_spawning(Rank& self, double spawn_s);
/// What its time is read from.
inline Key spawn_key() { return {"spawn", KeyType::time, "0s", "that rank 0 takes to start a task"}; }
/// To be awaited by all ranks: rank 0 sends every other its bytes, to one after another in the order of ranks, each a
/// rendezvous. The others wait for theirs.
Process deal_out(Rank& self, BytesOfRank bytes_of, MessageWork work);
/// The other way round: rank 0 takes what the others have for it, in the order of ranks.
Process take_back(Rank& self, BytesOfRank bytes_of, MessageWork work);
/// To be awaited by all ranks: as many bytes go from the root to every other along a binomial tree, as in
/// sim/program/collectives.hpp, but that messages cost work.
Process pass_along_tree(Rank& self, int root, double bytes, MessageWork work);

}  // namespace nowsim
