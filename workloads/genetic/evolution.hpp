// A simple genetic algorithm, generation by generation: strings of bits that encode real numbers, functions of them that
// such algorithms are tried on, selection, crossover, mutation, and who has to be evaluated.
//
// After Goldberg, "Genetic algorithms in search, optimization, and machine learning", 1989, ch. 3, as in GAlib, which
// BZ used: each generation replaces the one before but for the elite, and an offspring is evaluated if it took part in
// a crossover or a bit of it was flipped, even where its genome is that of a parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/statistics/random.hpp"

namespace nowsim {

/// How a genome is read: so many genes of so many bits each (at most 52, so that a gene's number is exact in a double).
struct GenomeShape {
  int genes = 10;
  int bits_per_gene = 16;
  [[nodiscard]] int bits() const { return genes * bits_per_gene; }
};

class Genome {
 public:
  /// All bits 0.
  explicit Genome(int bits) : words_(static_cast<std::size_t>(bits + kWord - 1) / kWord, 0), bits_(bits) {}
  /// Each bit 0 or 1 with probability 1/2; 32 of them from each uniform number.
  static Genome drawn(int bits, Stream& random);

  [[nodiscard]] int bits() const { return bits_; }
  [[nodiscard]] bool bit(int i) const { return (words_[word_of(i)] >> place_of(i) & 1) != 0; }
  void flip(int i) { words_[word_of(i)] ^= std::uint64_t{1} << place_of(i); }
  [[nodiscard]] int ones() const;
  /// The number that `count` bits from `first` on write in plain binary, most significant bit first; count 1 to 52.
  [[nodiscard]] std::uint64_t number(int first, int count) const;
  /// The bits before `point` from `head`, the others from `tail`, of the same length.
  static Genome joined(const Genome& head, const Genome& tail, int point);
  bool operator==(const Genome&) const = default;

 private:
  static constexpr int kWord = 64;
  static std::size_t word_of(int i) { return static_cast<std::size_t>(i / kWord); }
  static int place_of(int i) { return i % kWord; }
  std::vector<std::uint64_t> words_;  ///< bit i is bit i mod 64 of word i/64; unused bits are 0
  int bits_;
};

/// One-point crossover: what comes of two genomes of the same length that exchange all bits from a point on, which is
/// equally likely to be any between two bits. One bit has no such point: nothing is exchanged.
std::pair<Genome, Genome> cross(const Genome& mother, const Genome& father, Stream& random);

/// Flips each bit with this probability, independently. Whether any was flipped.
bool mutate(Genome& genome, double probability, Stream& random);

/// The genes as numbers on [low, high]: low + (high - low)·k/(2^bits - 1) for the number k of a gene's bits.
std::vector<double> decode(const Genome& genome, const GenomeShape& shape, double low, double high);

/// An objective function of a genome, to be minimised; never negative, and 0 at its optimum alone.
struct BenchmarkFunction {
  std::string_view name;
  int least_genes;
  double (*objective)(const Genome& genome, const GenomeShape& shape);
};

/// sphere: sum x², on [-5.12, 5.12] (De Jong's F1, "An analysis of the behavior of a class of genetic adaptive
///   systems", University of Michigan, 1975);
/// rastrigin: 10 n + sum (x² - 10 cos 2 pi x), on [-5.12, 5.12] (Muehlenbein, Schomisch & Born, "The parallel genetic
///   algorithm as function optimizer", Parallel Computing 17, 1991);
/// rosenbrock: sum 100 (x_{i+1} - x_i²)² + (1 - x_i)², on [-2.048, 2.048] (De Jong's F2 in n dimensions);
/// one-max: the bits that are 0, so that minimising it maximises those that are 1 (Schaffer & Eshelman, Proc. ICGA 4,
///   1991).
std::span<const BenchmarkFunction> benchmark_functions();

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
  /// Of the genome, where it is known; lower is better. One that came through without crossover and mutation has its
  /// parent's.
  double objective = 0;
  bool is_evaluated = false;
};

class Evolution {
 public:
  /// Generation 1: genomes drawn, nobody evaluated. 0 <= elite < population.
  Evolution(const EvolutionParameters& parameters, Stream random);
  [[nodiscard]] const std::vector<Individual>& population() const { return population_; }
  void note(std::size_t individual, double objective);
  /// The next generation, once all are evaluated.
  void evolve();
  /// The lowest objective of a generation that is evaluated, and of the elite before it.
  [[nodiscard]] double best() const;

 private:
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
