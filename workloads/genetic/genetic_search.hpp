// A genetic algorithm on a server and its clients: its parameters, what a search comes to, and the dispatchers that
// hand individuals out.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "sim/statistics/laws.hpp"
#include "workloads/genetic/evolution.hpp"

namespace nowsim {

/// What a search came to; vectors have one element per generation.
struct GeneticOutcome {
  std::vector<double> best;              ///< the lowest objective
  std::vector<std::size_t> evaluations;  ///< how many were evaluated
};

struct GeneticJob {
  EvolutionParameters evolution;
  int generations = 10;  ///< the first, drawn one among them
  const BenchmarkFunction* function = nullptr;
  DistributionPtr evaluation_flop;  ///< law of an evaluation's cost
  double evolve_flop = 0;           ///< the server's work for a new generation
  double signal_bytes = 4, individual_bytes = 20, result_bytes = 8;
  std::function<void(const GeneticOutcome&)> sink = {};  ///< told when a search has ended; may be empty

  [[nodiscard]] double objective_of(const Genome& genome) const { return function->objective(genome, evolution.shape); }
};

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

}  // namespace nowsim
