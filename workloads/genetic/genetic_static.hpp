// The parallel genetic algorithm of Cantu-Paz (BZ 5.1): each generation is dealt out in equal numbers beforehand.
//
// All messages are blocking. No deadlock: the server sends batches, and Shutdown, only when it has taken all results
// that clients had for it, so that they listen; then it takes results in the order in which they are offered.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/genetic/genetic_job.hpp"

namespace nowsim {

/// Rank 0: in each generation one message per client with its individuals (the first ones get the remainder, those
/// without any get nothing), then one with results from each; at last Shutdown to all.
Process serve_equal_numbers(Rank& self, const GeneticJob& job);
/// Any other rank: evaluates batches until Shutdown.
Process evaluate_batches(Rank& self, const GeneticJob& job);

}  // namespace nowsim
