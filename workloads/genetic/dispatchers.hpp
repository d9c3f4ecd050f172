// Dispatchers: how a genetic algorithm's server hands individuals out to its clients.
#pragma once

#include <span>

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/genetic/genetic_job.hpp"

namespace nowsim {

/// What the server (rank 0) does and what a client, and about how many messages it takes where nobody comes through
/// unchanged.
struct Dispatcher {
  const char* name;
  Process (*serve)(Rank& self, const GeneticJob& job);
  Process (*evaluate)(Rank& self, const GeneticJob& job);
  double (*messages)(const GeneticJob& job, int clients);
};

/// adaptive, static.
std::span<const Dispatcher> dispatchers();
/// What a rank does in a job: rank 0 is the server, the others are clients, and one alone is the best serial version.
Process search_with(Rank& self, const GeneticJob& job, const Dispatcher& dispatcher);

/// If nobody came through unchanged.
double evaluations(const GeneticJob& job);
/// Generations in which a client has something to do, of all clients.
double busy_generations(const GeneticJob& job, int clients);

}  // namespace nowsim
