// Bits in words of 64; sums over genes, and a count of bits; generations that replace one another.
#include "workloads/genetic/evolution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>

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

bool is_better(const Individual& a, const Individual& b) { return a.objective < b.objective; }

std::size_t any_of(std::size_t count, Stream& random) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
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

Evolution::Evolution(const EvolutionParameters& parameters, Stream random) : p_(parameters), random_(random) {
  for (int i = 0; i < p_.population; ++i) population_.push_back({Genome::drawn(p_.shape.bits(), random_)});
}

void Evolution::note(std::size_t individual, double objective) {
  population_.at(individual).objective = objective;
  population_.at(individual).is_evaluated = true;
}

double Evolution::best() const {
  const double now = std::min_element(population_.begin(), population_.end(), is_better)->objective;
  return elite_.empty() ? now : std::min(now, elite_.front().objective);
}

void Evolution::evolve() {
  assert(std::ranges::all_of(population_, &Individual::is_evaluated));
  const Individual best = *std::min_element(population_.begin(), population_.end(), is_better);
  for (Individual& elder : elite_)
    if (is_better(elder, best)) *std::max_element(population_.begin(), population_.end(), is_better) = std::move(elder);
  elite_ = population_;
  std::stable_sort(elite_.begin(), elite_.end(), is_better);
  elite_.erase(elite_.begin() + p_.elite, elite_.end());
  if (p_.selection == Selection::roulette) wheel_ = roulette_wheel(population_);
  std::vector<Individual> next;
  next.reserve(population_.size() + 1);
  while (next.size() < population_.size()) breed(next);
  if (next.size() > population_.size()) next.pop_back();  // of the last pair there is room for one
  population_ = std::move(next);
}

/// Two offspring: of a crossover, or copies of their parents, which are known as long as no bit is flipped.
void Evolution::breed(std::vector<Individual>& offspring) {
  std::pair<Individual, Individual> children{population_[select()], population_[select()]};
  auto& [first, second] = children;
  if (random_.uniform() < p_.crossover) {
    auto [a, b] = cross(first.genome, second.genome, random_);
    first = {std::move(a)};
    second = {std::move(b)};
  }
  for (Individual* child : {&first, &second}) {
    const bool is_changed = mutate(child->genome, p_.mutation, random_);
    if (is_changed) child->is_evaluated = false;
    offspring.push_back(std::move(*child));
  }
}

std::size_t Evolution::select() {
  if (p_.selection == Selection::tournament) {
    const std::size_t a = any_of(population_.size(), random_), b = any_of(population_.size(), random_);
    return is_better(population_[b], population_[a]) ? b : a;
  }
  const auto at = std::upper_bound(wheel_.begin(), wheel_.end(), random_.uniform() * wheel_.back());
  return std::min(static_cast<std::size_t>(at - wheel_.begin()), wheel_.size() - 1);
}

std::vector<double> roulette_wheel(std::span<const Individual> population) {
  const auto [best, worst] = std::minmax_element(population.begin(), population.end(), is_better);
  const bool all_same = best->objective == worst->objective;
  std::vector<double> wheel;
  double sum = 0;
  for (const auto& individual : population)
    wheel.push_back(sum += all_same ? 1 : worst->objective + best->objective - individual.objective);
  return wheel;
}

}  // namespace nowsim
