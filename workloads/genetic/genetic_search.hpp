// A genetic algorithm on a server and its clients: its parameters, its messages, a search as whoever leads it sees it,
// and the dispatchers that hand individuals out.
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

/// Depends on the replication's streams alone, not on who evaluates what and when: rank 0's copy of the common stream
/// draws the evolution, its own stream a cost for each individual of each generation, evaluated or not.
class GeneticSearch {
 public:
  /// In generation 1.
  GeneticSearch(const GeneticJob& job, const Rank& leader);
  /// Those of this generation that have to be evaluated, in order.
  [[nodiscard]] const std::vector<Assignment>& assignments() const { return assignments_; }
  void note(const Evaluation& evaluation);
  /// Whether all of this generation are evaluated.
  [[nodiscard]] bool is_generation_over() const { return noted_ == assignments_.size(); }
  [[nodiscard]] bool is_last_generation() const { return generation_ == job_.generations; }
  /// The next generation, when this one is over and not the last.
  void evolve();
  /// Tells the job's sink, when the last generation is over.
  void end();

 private:
  void begin_generation();
  const GeneticJob& job_;
  Evolution evolution_;
  Stream costs_;
  std::vector<Assignment> assignments_;
  std::size_t noted_ = 0;
  int generation_ = 1;
  GeneticOutcome outcome_;
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

/// If nobody came through unchanged.
double evaluations(const GeneticJob& job);
/// Generations in which a client has something to do, of all clients.
double busy_generations(const GeneticJob& job, int clients);

}  // namespace nowsim
