// A simple genetic algorithm, generation by generation: selection, crossover, mutation, and who has to be evaluated.
//
// After Goldberg, "Genetic algorithms in search, optimization, and machine learning", 1989, ch. 3, as in GAlib, which
// BZ used: each generation replaces the one before but for the elite, and an offspring is evaluated if it took part in
// a crossover or a bit of it was flipped, even where its genome is that of a parent.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/statistics/random.hpp"
#include "workloads/genetic/genome.hpp"

namespace nowsim {

enum class Selection {
  roulette,   ///< in proportion to max + min - objective, with the generation's extremes (GAlib's rule for minima)
  tournament  ///< the better of two that are equally likely to be anyone
};

struct EvolutionParameters {
  int population = 32;
  GenomeShape shape;
  Selection selection = Selection::roulette;
  double crossover = 0.9;   ///< probability of a pair
  double mutation = 0.001;  ///< probability of a bit
  /// So many of the best of a generation take the places of the worst of the next, once that is evaluated, where they
  /// are better than all of it: GAlib's rule, whose elite is one. It saves no evaluation.
  int elite = 1;
};

struct Individual {
  Genome genome;
  double objective = 0;  ///< of the genome, where it is known; lower is better
  bool is_evaluated = false;
};

class Evolution {
 public:
  /// Generation 1: genomes drawn, nobody evaluated. 0 <= elite < population.
  Evolution(const EvolutionParameters& parameters, Stream random);
  [[nodiscard]] const std::vector<Individual>& population() const { return population_; }
  /// Whose objective is not known, in order. One that came through without crossover and mutation has its parent's.
  [[nodiscard]] std::vector<std::size_t> unevaluated() const;
  void note(std::size_t individual, double objective);
  /// The next generation, once all are evaluated.
  void evolve();
  /// The lowest objective of a generation that is evaluated, and of the elite before it.
  [[nodiscard]] double best() const;

 private:
  [[nodiscard]] std::vector<Individual> best_ones() const;
  void bring_in_elite();
  void breed(std::vector<Individual>& offspring);
  std::size_t select();
  EvolutionParameters p_;
  Stream random_;
  std::vector<Individual> population_;
  std::vector<Individual> elite_;  ///< of the generation before, best first
  std::vector<double> wheel_;  ///< cumulative weights of this generation; roulette only
};

/// Cumulative roulette weights of these objectives >= 0: equal ones where all are the same.
std::vector<double> roulette_wheel(std::span<const Individual> population);

}  // namespace nowsim
