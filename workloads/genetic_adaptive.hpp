// The adaptive parallel genetic algorithm (BZ 5.2-5.4): clients ask a server for one individual after another.
//
// All messages are blocking. No deadlock: a client that has sent a request or a result listens to nobody but the server
// until that has taken it, and the server takes whatever is offered; it sends only to clients that asked and now wait for
// the answer, and to those that sleep, which listen.
#pragma once

#include "sim/process.hpp"
#include "sim/rank.hpp"
#include "workloads/genetic_job.hpp"

namespace nowsim {

/// Rank 0: YesWork to all, then answers; NoWork where none of the generation are left. When the last result of a
/// generation is in, the next evolves and those who sleep are woken by YesWork. After the last generation those still
/// awake ask once more and get NoWork, then all get Shutdown.
Process serve_adaptively(Rank& self, const GeneticJob& job);
/// Any other rank. Waits for YesWork; awake, asks, evaluates and tells until NoWork; asleep, waits for YesWork or Shutdown.
Process evaluate_on_request(Rank& self, const GeneticJob& job);

}  // namespace nowsim
