// A simple genetic algorithm, generation by generation: selection, crossover, mutation, and who has to be evaluated.
//
// After Goldberg, "Genetic algorithms in search, optimization, and machine learning", 1989, ch. 3, as in GAlib, which
// BZ used: each generation replaces the one before but for the elite.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/random.hpp"
#include "workloads/genome.hpp"

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
  /// The best so many go over as they are, in the place of as many offspring. (GAlib's simple GA breeds one more and
  /// drops the worst for its elite of one, which costs an evaluation more per generation.)
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
  /// Whose objective is not known, in order. One whose genome is that of a parent has the parent's.
  [[nodiscard]] std::vector<std::size_t> unevaluated() const;
  void note(std::size_t individual, double objective);
  /// The next generation, once all are evaluated.
  void evolve();
  /// The lowest objective of a generation that is evaluated.
  [[nodiscard]] double best() const;

 private:
  [[nodiscard]] std::vector<Individual> elite() const;
  void breed(std::vector<Individual>& offspring);
  std::size_t select();
  EvolutionParameters p_;
  Stream random_;
  std::vector<Individual> population_;
  std::vector<double> wheel_;  ///< cumulative weights of this generation; roulette only
};

/// Cumulative roulette weights of these objectives >= 0: equal ones where all are the same.
std::vector<double> roulette_wheel(std::span<const Individual> population);

}  // namespace nowsim
