// The genetic algorithm by itself: genomes, benchmark functions, selection, and what a generation keeps of the last.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>

#include "workloads/genetic/evolution.hpp"

using namespace nowsim;

namespace {

Stream stream(std::uint64_t replication = 0) { return Stream::Family(1, replication).stream(0, Purpose::workload); }

Genome of_bits(const std::string& bits) {
  Genome genome(static_cast<int>(bits.size()));
  for (int i = 0; i < genome.bits(); ++i)
    if (bits[static_cast<std::size_t>(i)] == '1') genome.flip(i);
  return genome;
}

/// Genes that all hold this number.
Genome of_numbers(std::uint64_t number, const GenomeShape& shape) {
  Genome genome(shape.bits());
  for (int i = 0; i < genome.bits(); ++i)
    if ((number >> (shape.bits_per_gene - 1 - i % shape.bits_per_gene) & 1) != 0) genome.flip(i);
  return genome;
}

double objective(const std::string& function, const Genome& genome, const GenomeShape& shape) {
  for (const auto& f : benchmark_functions())
    if (f.name == function) return f.objective(genome, shape);
  FAIL("there is no function " << function);
  return 0;
}

/// Evaluates who has to be, by one-max.
std::size_t evaluate(Evolution& evolution) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < evolution.population().size(); ++i) {
    const auto& [genome, objective, is_evaluated] = evolution.population()[i];
    if (is_evaluated) continue;
    evolution.note(i, genome.bits() - genome.ones());
    ++count;
  }
  return count;
}

/// 5 standard deviations of a binomial count: a correct program fails with probability 6e-7.
void check_count(double count, double trials, double probability) {
  const double mean = trials * probability;
  CHECK(std::abs(count - mean) <= 5 * std::sqrt(mean * (1 - probability)));
}

}  // namespace

TEST_CASE("Genes are plain binary numbers, spread evenly from the lowest to the highest value",
          "[computes][evolution]") {
  const Genome genome = of_bits("000111110");
  CHECK(genome.ones() == 5);
  CHECK(genome.number(0, 3) == 0);
  CHECK(genome.number(3, 3) == 7);
  CHECK(genome.number(6, 3) == 6);
  const auto values = decode(genome, {3, 3}, -7, 7);
  CHECK(values.size() == 3);
  CHECK(values[0] == -7);
  CHECK(values[1] == Approx(7));
  CHECK(values[2] == Approx(5));
}

TEST_CASE("Drawn genomes have as many ones as zeros, at each place", "[evolution][statistical]") {
  Stream random = stream();
  constexpr int kTrials = 2000, kBits = 100;
  std::vector<int> ones(kBits, 0);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Genome genome = Genome::drawn(kBits, random);
    for (int i = 0; i < kBits; ++i) ones[static_cast<std::size_t>(i)] += genome.bit(i) ? 1 : 0;
  }
  for (const int count : ones) check_count(count, kTrials, 0.5);
}

TEST_CASE("Benchmark functions have their published values, and are 0 at their optimum", "[evolution]") {
  const GenomeShape coarse{3, 1}, fine{3, 52};
  const Genome low = of_bits("000"), mixed = of_bits("101");
  CHECK(objective("sphere", low, coarse) == Approx(3 * 5.12 * 5.12));
  CHECK(objective("rastrigin", low, coarse) == Approx(3 * (10 + 5.12 * 5.12 - 10 * std::cos(2 * M_PI * 5.12))));
  const double up = 2.048 - 2.048 * 2.048, down = 2.048 + 2.048 * 2.048;
  CHECK(objective("rosenbrock", mixed, coarse) ==
        Approx(100 * (down * down + up * up) + (1 - 2.048) * (1 - 2.048) + (1 + 2.048) * (1 + 2.048)));
  CHECK(objective("one-max", mixed, coarse) == 1);
  CHECK(objective("one-max", of_bits("111"), coarse) == 0);

  const Genome middle = of_numbers(std::uint64_t{1} << 51, fine);
  CHECK(objective("sphere", middle, fine) == Approx(0).margin(1e-20));
  CHECK(objective("rastrigin", middle, fine) == Approx(0).margin(1e-20));
  const double one = (1 + 2.048) / (2 * 2.048) * static_cast<double>((std::uint64_t{1} << 52) - 1);
  CHECK(objective("rosenbrock", of_numbers(static_cast<std::uint64_t>(one), fine), fine) == Approx(0).margin(1e-20));
}

TEST_CASE("Crossover exchanges everything from one point on, and nothing else", "[evolution][property]") {
  Stream random = stream();
  for (const int bits : {2, 3, 64, 65, 128, 160}) {
    std::map<int, int> points;
    for (int trial = 0; trial < 20 * bits; ++trial) {
      const Genome mother = Genome::drawn(bits, random), father = Genome::drawn(bits, random);
      const auto [first, second] = cross(mother, father, random);
      int point = 1;
      while (point < bits - 1 && Genome::joined(mother, father, point) != first) ++point;
      CHECK(first == Genome::joined(mother, father, point));
      for (int i = 0; i < bits; ++i) {
        if (first.bit(i) != (i < point ? mother : father).bit(i)) FAIL("bit " << i << " of the first child");
        if (second.bit(i) != (i < point ? father : mother).bit(i)) FAIL("bit " << i << " of the second child");
      }
    }
    Genome zeros(bits), ones = of_bits(std::string(static_cast<std::size_t>(bits), '1'));
    for (int trial = 0; trial < 40 * bits; ++trial) ++points[cross(ones, zeros, random).first.ones()];
    CHECK(points.begin()->first >= 1);
    CHECK(points.rbegin()->first <= bits - 1);
    for (const auto& [point, count] : points) check_count(count, 40.0 * bits, 1.0 / (bits - 1));
    CHECK(points.size() == static_cast<std::size_t>(bits - 1));
  }
  const auto [a, b] = cross(of_bits("1"), of_bits("0"), random);
  CHECK(a == of_bits("1"));
  CHECK(b == of_bits("0"));
}

TEST_CASE("Mutation flips every bit with its probability", "[evolution][statistical]") {
  Stream random = stream();
  for (const double probability : {0.001, 0.03, 0.5}) {
    constexpr int kTrials = 5000, kBits = 160;
    double flipped = 0, first = 0, last = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      Genome genome(kBits);
      mutate(genome, probability, random);
      flipped += genome.ones();
      first += genome.bit(0) ? 1 : 0;
      last += genome.bit(kBits - 1) ? 1 : 0;
    }
    check_count(flipped, 1.0 * kTrials * kBits, probability);
    if (probability < 0.01) continue;
    check_count(first, kTrials, probability);
    check_count(last, kTrials, probability);
  }
  for (int trial = 0; trial < 100; ++trial) {
    Genome none(100), all(100);
    mutate(none, 0, random);
    mutate(all, 1, random);
    CHECK(none.ones() == 0);
    CHECK(all.ones() == 100);
  }
}

TEST_CASE("The roulette's weights are max + min - objective, and equal where all are the same", "[evolution]") {
  const auto wheel = [](const std::vector<double>& objectives) {
    std::vector<Individual> population;
    for (const double o : objectives) population.push_back({Genome(1), o, true});
    return roulette_wheel(population);
  };
  CHECK(wheel({2, 1, 4}) == std::vector<double>{3, 7, 8});
  CHECK(wheel({5, 5}) == std::vector<double>{1, 2});
  CHECK(wheel({0, 0}) == std::vector<double>{1, 2});
}

TEST_CASE("Selection prefers the fitter, with the probabilities of its rule", "[evolution][statistical]") {
  struct Rule {
    Selection selection;
    double best, worst;  ///< probabilities of objectives 1 and 3 among 1, 2, 3
  };
  constexpr Rule kRules[] = {{Selection::roulette, 3.0 / 6, 1.0 / 6}, {Selection::tournament, 5.0 / 9, 1.0 / 9}};
  for (const Rule& rule : kRules) {
    double best = 0, worst = 0, all = 0;
    for (std::uint64_t trial = 0; trial < 3000; ++trial) {
      Evolution evolution({3, {}, rule.selection, 0, 0, 0}, stream(trial));
      for (std::size_t i = 0; i < 3; ++i) evolution.note(i, static_cast<double>(i + 1));
      evolution.evolve();
      for (const auto& individual : evolution.population()) {
        best += individual.objective == 1 ? 1 : 0;
        worst += individual.objective == 3 ? 1 : 0;
        ++all;
      }
    }
    check_count(best, all, rule.best);
    check_count(worst, all, rule.worst);
  }
}

TEST_CASE("Generations keep their size, and with an elite the best never worsens", "[evolution][property]") {
  for (const Selection selection : {Selection::roulette, Selection::tournament})
    for (const int population : {2, 3, 8, 9})
      for (int elite = 0; elite < std::min(population, 4); ++elite) {
        Evolution evolution({population, {4, 10}, selection, 0.9, 0.02, elite}, stream());
        CHECK(evaluate(evolution) == static_cast<std::size_t>(population));
        for (int generation = 0; generation < 30; ++generation) {
          const double best = evolution.best();
          evolution.evolve();
          CHECK(evolution.population().size() == static_cast<std::size_t>(population));
          CHECK(evaluate(evolution) <= static_cast<std::size_t>(population));
          if (elite > 0) CHECK(evolution.best() <= best);
        }
      }
}

TEST_CASE("Who is known is what a parent was, and is not evaluated again", "[evolution][property]") {
  for (std::uint64_t replication = 0; replication < 20; ++replication) {
    Evolution evolution({16, {2, 8}, Selection::roulette, 0.9, 0.01, 1}, stream(replication));
    for (int generation = 0; generation < 20; ++generation) {
      evaluate(evolution);
      evolution.evolve();
      for (const auto& individual : evolution.population())
        if (individual.is_evaluated) CHECK(individual.objective == 16 - individual.genome.ones());
    }
  }
}

TEST_CASE("Nothing is evaluated again without crossover and mutation, and everybody where one of them is certain",
          "[evolution]") {
  struct Certain {
    EvolutionParameters parameters;
    std::size_t again;
  };
  const std::vector<Certain> table{{{9, {}, Selection::roulette, 0, 0, 0}, 0},
                                   {{9, {}, Selection::tournament, 0, 0, 0}, 0},
                                   {{6, {1, 1}, Selection::roulette, 1, 0, 1}, 6},  // whatever became of the genomes
                                   {{7, {}, Selection::roulette, 0, 1, 2}, 7}};     // the elite's offspring too
  for (const auto& [parameters, again] : table) {
    Evolution evolution(parameters, stream());
    CHECK(evaluate(evolution) == static_cast<std::size_t>(parameters.population));
    for (int generation = 0; generation < 10; ++generation) {
      evolution.evolve();
      CHECK(evaluate(evolution) == again);
    }
  }
}
