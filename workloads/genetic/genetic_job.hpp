// A genetic algorithm on a server and its clients: its parameters, its messages, and what a search came to.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/statistics/laws.hpp"
#include "workloads/genetic/benchmark_functions.hpp"
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

/// BZ 5.3: messages that say something and carry nothing. In the order of a client's life.
enum class Signal { yes_work, work_request, no_work, work_end, shutdown };

/// An individual on its way to a client.
struct Assignment {
  std::size_t individual;
  double cost_flop;
  Genome genome;
};

/// And what comes back of it.
struct Evaluation {
  std::size_t individual;
  double objective;
};

}  // namespace nowsim
