// The adaptive parallel genetic algorithm (BZ 5.2-5.4): clients ask a server for one individual after another.
//
// All messages are blocking. No deadlock: the server sends only to clients that wait for what it sends, namely those
// that have asked and those that sleep; and when it does not send or compute it takes whatever any client has for it.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/genetic/genetic_job.hpp"

namespace nowsim {

/// Rank 0: YesWork to all, then answers; NoWork where none of the generation are left. When the last result of a
/// generation is in, the next evolves and those who sleep are woken by YesWork. After the last generation those still
/// awake ask once more and get NoWork, then all get Shutdown.
Process serve_adaptively(Rank& self, const GeneticJob& job);
/// Any other rank. Asleep, waits for YesWork or Shutdown; awake, asks, evaluates and tells until NoWork.
Process evaluate_on_request(Rank& self, const GeneticJob& job);

}  // namespace nowsim
