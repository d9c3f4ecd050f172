// Bits in words of 64; sums over genes, and a count of bits.
#include "workloads/genetic/genome.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

/// The first bit last: neighbours change places, then pairs, then halves of bytes, then bytes.
std::uint64_t reversed(std::uint64_t bits) {
  const auto swap = [&bits](int by, std::uint64_t low) { bits = (bits >> by & low) | (bits & low) << by; };
  swap(1, 0x5555555555555555);
  swap(2, 0x3333333333333333);
  swap(4, 0x0f0f0f0f0f0f0f0f);
  return __builtin_bswap64(bits);
}

}  // namespace

Genome Genome::drawn(int bits, Stream& random) {
  constexpr int kDrawn = 32;
  Genome genome(bits);
  for (int first = 0; first < bits; first += kDrawn) {
    auto drawn = static_cast<std::uint64_t>(random.uniform() * 0x1.0p32);
    if (bits - first < kDrawn) drawn &= (std::uint64_t{1} << (bits - first)) - 1;
    genome.words_[word_of(first)] |= drawn << place_of(first);
  }
  return genome;
}

int Genome::ones() const {
  int sum = 0;
  for (const auto word : words_) sum += std::popcount(word);
  return sum;
}

std::uint64_t Genome::number(int first, int count) const {
  std::uint64_t bits = words_[word_of(first)] >> place_of(first);
  if (place_of(first) + count > kWord) bits |= words_[word_of(first) + 1] << (kWord - place_of(first));
  return reversed(bits) >> (kWord - count);
}

Genome Genome::joined(const Genome& head, const Genome& tail, int point) {
  Genome genome = tail;
  const std::size_t whole = word_of(point);
  std::copy_n(head.words_.begin(), whole, genome.words_.begin());
  if (const int rest = place_of(point); rest > 0) {
    const std::uint64_t mask = (std::uint64_t{1} << rest) - 1;
    genome.words_[whole] = (head.words_[whole] & mask) | (tail.words_[whole] & ~mask);
  }
  return genome;
}

std::pair<Genome, Genome> cross(const Genome& mother, const Genome& father, Stream& random) {
  const int points = mother.bits() - 1;
  if (points < 1) return {mother, father};
  const int point = 1 + static_cast<int>(random.uniform() * points);
  return {Genome::joined(mother, father, point), Genome::joined(father, mother, point)};
}

/// The distance to the next bit that flips is geometric, so a draw per flip is enough.
bool mutate(Genome& genome, double probability, Stream& random) {
  if (!(probability > 0)) return false;
  const double log_stays = portable::log1p(-probability);
  bool is_changed = false;
  for (double at = -1;; is_changed = true) {
    at += 1 + std::floor(portable::log1p(-random.uniform()) / log_stays);
    if (!(at < genome.bits())) return is_changed;
    genome.flip(static_cast<int>(at));
  }
}

std::vector<double> decode(const Genome& genome, const GenomeShape& shape, double low, double high) {
  const double step = (high - low) / static_cast<double>((std::uint64_t{1} << shape.bits_per_gene) - 1);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(shape.genes));
  for (int gene = 0; gene < shape.genes; ++gene)
    values.push_back(low + step * static_cast<double>(genome.number(gene * shape.bits_per_gene, shape.bits_per_gene)));
  return values;
}

namespace {

constexpr double kDeJong = 5.12, kRosenbrock = 2.048;

double sphere(const Genome& genome, const GenomeShape& shape) {
  double sum = 0;
  for (const double x : decode(genome, shape, -kDeJong, kDeJong)) sum += x * x;
  return sum;
}

double rastrigin(const Genome& genome, const GenomeShape& shape) {
  double sum = 0;
  for (const double x : decode(genome, shape, -kDeJong, kDeJong))
    sum += x * x + 10 * (1 - portable::cos_of_turns(x));
  return sum;
}

double rosenbrock(const Genome& genome, const GenomeShape& shape) {
  const auto x = decode(genome, shape, -kRosenbrock, kRosenbrock);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double off_valley = x[i + 1] - x[i] * x[i], off_one = 1 - x[i];
    sum += 100 * off_valley * off_valley + off_one * off_one;
  }
  return sum;
}

double zeros(const Genome& genome, const GenomeShape&) { return genome.bits() - genome.ones(); }

constexpr std::array<BenchmarkFunction, 4> kFunctions{
    {{"sphere", 1, sphere}, {"rastrigin", 1, rastrigin}, {"rosenbrock", 2, rosenbrock}, {"one-max", 1, zeros}}};

}  // namespace

std::span<const BenchmarkFunction> benchmark_functions() { return kFunctions; }

}  // namespace nowsim
