// What it costs the first rank to start the tasks of a parallel program, one after another.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// To be awaited by every rank first: rank i begins when i tasks have been started, and rank 0, which starts them, when
/// all have been (PVM's pvm_spawn). A rank alone starts none.
Process begin_after_spawning(Rank& self, double spawn_s);

}  // namespace nowsim
