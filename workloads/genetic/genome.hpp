// A string of bits that encodes real numbers, what a genetic algorithm does to such strings, and functions of them that
// such algorithms are tried on.
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

}  // namespace nowsim
