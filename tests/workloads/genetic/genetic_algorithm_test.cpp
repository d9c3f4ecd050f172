// The genetic algorithm: genomes, functions and selection by themselves, hand-derived times, an evolution by seed alone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "sim/base/error.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "workloads/genetic/evolution.hpp"
#include "workloads/genetic/genetic_search.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// The platform's messages: 1 ms and 1 kB/s. Signals of 4 B, an individual of 10·16 bits, a result of 8 B.
constexpr double kSignal = 0.005, kIndividual = 0.021, kResult = 0.009;
constexpr auto kSwitch = NetworkKind::network_switch;

std::map<std::string, double> genetic(std::map<std::string, double> more) {
  more.insert({{"evaluation", 10}, {"population", 2}, {"generations", 1}});
  return more;
}
Scenario genetic_job(std::map<std::string, double> parameters, const std::vector<double>& speeds_flops) {
  return job("genetic-algorithm", genetic(std::move(parameters)), machines(speeds_flops, kSwitch));
}

const BenchmarkFunction& function_named(std::string_view name) {
  for (const auto& function : benchmark_functions())
    if (function.name == name) return function;
  throw std::invalid_argument("no such function");
}

GeneticJob small_search() {
  GeneticJob job;
  job.evolution = {9, {3, 12}, Selection::roulette, 0.9, 0.01, 1};
  job.generations = 6;
  job.function = &function_named("rastrigin");
  job.evaluation_flop = exponential(50);
  return job;
}

Scenario searching(const GeneticJob& job, const Dispatcher& dispatcher, const std::vector<double>& speeds_flops,
                   std::uint64_t seed = 1, const OwnerPtr& owner = dedicated_owner()) {
  Scenario s = scenario(machines(speeds_flops, speeds_flops.size() > 1 ? kSwitch : NetworkKind::none), {}, owner);
  s.workload = std::make_shared<const LambdaWorkload>(
      [job, &dispatcher](Rank& self) { return search_with(self, job, dispatcher); });
  s.seed = seed;
  return s;
}

struct Search {
  GeneticOutcome outcome;
  double work_flop;
};
Search search(GeneticJob job, const Dispatcher& dispatcher, const std::vector<double>& speeds_flops, std::uint64_t seed = 1,
              std::uint64_t replication = 0, const OwnerPtr& owner = dedicated_owner()) {
  GeneticOutcome outcome;
  job.sink = [&](const GeneticOutcome& told) { outcome = told; };
  const auto results = run_batch_direct(searching(job, dispatcher, speeds_flops, seed, owner), {replication, 1});
  return {outcome, sum_of(results.at(0)[Quantity::work_flop])};
}

const std::vector<std::vector<double>> kMachines{
    {1, 1}, {5, 1, 2}, {1, 1, 1, 1, 1, 1}, {3, 9, 1, 4, 2, 7, 5, 3, 1, 2, 8, 6}};
const Dispatcher& kAdaptive = dispatchers()[0];

/// What is wrong with a job of these keys.
std::string problem(const std::string& keys, const std::string& workstations = "3") {
  return problems_of(
      "nowsim: 1\n"
      "platform: {speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms, workstations: " + workstations + "}\n"
      "job: {workload: genetic-algorithm, " + keys + "}\nmetrics: [tau]\n");
}

void check_same(const Search& a, const Search& b) {
  CHECK(a.outcome.best == b.outcome.best);
  CHECK(a.outcome.evaluations == b.outcome.evaluations);
  CHECK(a.work_flop == near(b.work_flop));
}

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

TEST_CASE("One client asks for, evaluates and returns one individual after another",
          "[computes][workloads][genetic_algorithm]") {
  // Woken; twice a request, YesWork, an individual, WorkEnd and a result; a request, NoWork, Shutdown.
  const RunResult r = run_on_both(genetic_job({}, {1, 2}));
  CHECK(r.makespan_s == near(kSignal + 2 * (3 * kSignal + kIndividual + 10.0 / 2 + kResult) + 3 * kSignal));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 20});
  CHECK(r[Quantity::messages] == std::vector<double>{7, 7});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{5 * 4 + 2 * 20, 5 * 4 + 2 * 8});
}

TEST_CASE("Two clients get an individual each, and the first sleeps until Shutdown", "[workloads][genetic_algorithm]") {
  // Both are woken, 2 signals; the first is answered (request, YesWork, individual), then the second, which ends last:
  // by then the first has been told NoWork. Its WorkEnd, result, request and NoWork, and two Shutdowns.
  const RunResult r = run_on_both(genetic_job({}, {1, 1, 1}));
  const double told = 7 * kSignal + kIndividual + kResult, computed = 6 * kSignal + 2 * kIndividual;
  CHECK(told < computed);
  CHECK(r.makespan_s == near(computed + 10 + kSignal + kResult + 2 * kSignal + 2 * kSignal));
  CHECK(r[Quantity::finish_s][1] == near(r.makespan_s - kSignal));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 10, 10});
}

TEST_CASE("A client that sleeps is woken for the next generation", "[workloads][genetic_algorithm]") {
  // Mutation 1, no elite: each generation is evaluated. The second client sleeps once there is no third individual; the
  // server evolves for 3 s, wakes the first client, and the second asks by itself.
  const RunResult r = run_on_both(
      genetic_job({{"generations", 2}, {"mutation", 1}, {"elite", 0}, {"evolve", 3}}, {1, 1, 1}));
  const double first_in = 7 * kSignal + 2 * kIndividual + kResult + 10;  // the second client's result
  const double woken = first_in + 3 + kSignal;
  // The second client has asked since first_in, the first asks when it is woken: the older request is answered first.
  const double second_computes = woken + 2 * kSignal + kIndividual;
  const double first_computes = second_computes + 2 * kSignal + kIndividual;
  const double last_in = first_computes + 10 + kSignal + kResult;
  CHECK(second_computes + 10 + 3 * kSignal + kResult < first_computes + 10);
  CHECK(r.makespan_s == near(last_in + 2 * kSignal + 2 * kSignal));
  CHECK(r[Quantity::work_flop] == std::vector<double>{3, 20, 20});
}

TEST_CASE("Equal numbers are dealt out in one message per client, the remainder to the first",
          "[workloads][genetic_algorithm]") {
  const RunResult r = run_on_both(genetic_job({{"population", 3}, {"dispatcher", 1}}, {1, 1, 1}));
  CHECK(r.makespan_s == near(0.041 + 20 + 0.017 + 2 * kSignal));
  CHECK(r[Quantity::finish_s][2] == near(r.makespan_s));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 20, 10});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{2 * 20 + 20 + 2 * 4, 16, 8});
}

TEST_CASE("Clients beyond the number of individuals are dealt nothing", "[workloads][genetic_algorithm]") {
  const RunResult r = run_on_both(genetic_job({{"dispatcher", 1}}, {1, 1, 1, 1}));
  CHECK(r.makespan_s == near(2 * kIndividual + 10 + kResult + 3 * kSignal));
  CHECK(r[Quantity::messages] == std::vector<double>{2 + 3, 1, 1, 0});
}

TEST_CASE("Alone it evaluates everything itself, without messages", "[workloads][genetic_algorithm]") {
  for (const double dispatcher : {0, 1}) {
    const auto parameters = genetic({{"generations", 3}, {"mutation", 1}, {"evolve", 7}, {"dispatcher", dispatcher}});
    const RunResult r = run_on_both(job("genetic-algorithm", parameters, machines({2}, NetworkKind::none)));
    CHECK(r[Quantity::work_flop] == std::vector<double>{(2 + 2 + 2) * 10 + 2 * 7});
    CHECK(r.makespan_s == near(74.0 / 2));
    CHECK(r[Quantity::messages] == std::vector<double>{0});
  }
}

TEST_CASE("The work to be split is that of all individuals of all generations", "[workloads][genetic_algorithm]") {
  const Scenario s = genetic_job({{"population", 8}, {"generations", 5}, {"law", 3}}, {1, 1, 1});
  CHECK(s.workload->program().work_flop == near(8 * 5 * 10));
  CHECK(s.workload->program().communicates);
  CHECK(first_worker(s) == 1);
}

TEST_CASE("Where nothing is new in later generations they cost no messages", "[workloads][genetic_algorithm]") {
  for (const double dispatcher : {0, 1})
    for (const std::vector<double>& speeds : {std::vector<double>{1, 1}, std::vector<double>{1, 1, 2, 3}}) {
      const auto time_s = [&](double generations) {
        const std::map<std::string, double> still{{"population", 5}, {"crossover", 0}, {"mutation", 0},
                                                  {"dispatcher", dispatcher}, {"generations", generations}};
        return run_on_both(genetic_job(still, speeds)).makespan_s;
      };
      CHECK(time_s(8) == time_s(1));
    }
}

TEST_CASE("Best and evaluations are the same under both dispatchers, alone, and on any machines with any owners",
          "[workloads][genetic_algorithm][property]") {
  const auto busy = profile_of("PERIODICITY 8\n0 1\n3 0.3\n");
  for (const std::uint64_t seed : {1, 7})
    for (const std::uint64_t replication : {0, 1, 5}) {
      const Search alone = search(small_search(), kAdaptive, {1}, seed, replication);
      CHECK(alone.outcome.best.size() == 6);
      CHECK(alone.outcome.evaluations.size() == 6);
      CHECK(alone.outcome.evaluations.front() == 9);
      for (const Dispatcher& dispatcher : dispatchers())
        for (const auto& speeds : kMachines) {
          check_same(search(small_search(), dispatcher, speeds, seed, replication), alone);
          check_same(search(small_search(), dispatcher, speeds, seed, replication, busy), alone);
        }
    }
}

TEST_CASE("Another seed or replication is another evolution", "[workloads][genetic_algorithm]") {
  const Search one = search(small_search(), kAdaptive, {1, 1, 1});
  const Search other_seed = search(small_search(), kAdaptive, {1, 1, 1}, 2);
  const Search other_replication = search(small_search(), kAdaptive, {1, 1, 1}, 1, 1);
  for (const Search* other : {&other_seed, &other_replication}) {
    CHECK(one.outcome.best != other->outcome.best);
    CHECK(one.work_flop != near(other->work_flop));
  }
}

TEST_CASE("Costs do not change the evolution", "[workloads][genetic_algorithm]") {
  GeneticJob constant_costs = small_search();
  constant_costs.evaluation_flop = constant(3);
  const Search drawn = search(small_search(), kAdaptive, {1, 2, 3});
  const Search same = search(constant_costs, kAdaptive, {1, 2, 3});
  CHECK(drawn.outcome.best == same.outcome.best);
  double evaluations = 0;
  for (const auto number : same.outcome.evaluations) evaluations += static_cast<double>(number);
  CHECK(same.work_flop == near(3 * evaluations));
}

TEST_CASE("Both engines do the same work under both dispatchers, whatever the numbers",
          "[workloads][genetic_algorithm][property]") {
  Stream random = Stream::Family(1, 0).stream(0, Purpose::workload);
  const auto up_to = [&](int most) { return static_cast<int>(random.uniform() * (most + 1)); };
  for (int trial = 0; trial < 12; ++trial) {
    GeneticJob job = small_search();
    job.evolution.population = 2 + up_to(8);
    job.evolution.elite = up_to(1);
    job.evolution.mutation = 0.05 * random.uniform();
    job.generations = 1 + up_to(5);
    job.evolve_flop = up_to(1) * 4;
    std::vector<double> speeds(2 + static_cast<std::size_t>(up_to(8)));
    for (auto& speed : speeds) speed = 0.5 + random.uniform();
    const double alone = search(job, kAdaptive, {1}).work_flop;
    for (const Dispatcher& dispatcher : dispatchers())
      CHECK(sum_of(run_on_both(searching(job, dispatcher, speeds))[Quantity::work_flop]) == near(alone));
  }
}

TEST_CASE("One client is slower than the sequential program", "[workloads][genetic_algorithm][property]") {
  for (const double evaluation : {1, 100})
    for (const double dispatcher : {0, 1}) {
      const std::map<std::string, double> parameters{
          {"population", 6}, {"generations", 4}, {"evaluation", evaluation}, {"dispatcher", dispatcher}};
      const double alone_s =
          run_on_both(job("genetic-algorithm", parameters, machines({1}, NetworkKind::none))).makespan_s;
      CHECK(run_on_both(genetic_job(parameters, {1, 1})).makespan_s > alone_s);
    }
}

TEST_CASE("Without a price of messages equal numbers reach n times min v over max v, and requests more",
          "[workloads][genetic_algorithm]") {
  // BZ (17), with all of 8 individuals evaluated in each generation. The server's 4 flop/s are no client's.
  const auto time_s = [](double dispatcher, const std::vector<double>& speeds, NetworkKind network) {
    const std::map<std::string, double> parameters{
        {"population", 8}, {"generations", 3}, {"mutation", 1}, {"elite", 0}, {"evaluation", 3e4}, {"signal", 0},
        {"individual", 0}, {"result", 0}, {"dispatcher", dispatcher}};
    return run_on_both(job("genetic-algorithm", parameters, machines(speeds, network))).makespan_s;
  };
  const double alone_s = time_s(0, {3}, NetworkKind::none);
  const double equal = alone_s / time_s(1, {4, 3, 2, 1.25, 2.5}, kSwitch);
  CHECK(equal == Approx(4 * 1.25 / 3).epsilon(1e-4));
  // By hand, in evaluations on the fastest (1, 1.5, 2.4 and 1.2 each): four start at 0, the others at 1, 1.2, 1.5 and
  // 2, and end at 2, 2.4, 3 and 3.
  CHECK(alone_s / time_s(0, {4, 3, 2, 1.25, 2.5}, kSwitch) == Approx(8.0 / 3).epsilon(1e-4));
}

TEST_CASE("The search finds better individuals than it began with", "[workloads][genetic_algorithm]") {
  for (const char* function : {"sphere", "rastrigin", "rosenbrock", "one-max"})
    for (const Selection selection : {Selection::roulette, Selection::tournament}) {
      GeneticJob job = small_search();
      job.evolution = {32, {5, 12}, selection, 0.9, 0.005, 1};
      job.generations = 20;
      job.function = &function_named(function);
      for (std::uint64_t replication = 0; replication < 5; ++replication) {
        const auto best = search(job, kAdaptive, {1, 1, 1}, 1, replication).outcome.best;
        CHECK(best.back() < best.front());
        CHECK(std::is_sorted(best.rbegin(), best.rend()));
      }
    }
}

TEST_CASE("A genetic algorithm refuses machines that switch off, but for one that searches alone",
          "[workloads][genetic_algorithm][error]") {
  const std::string keys = "population: 4, generations: 2, evaluation: 10f";
  const std::string failures = ", failures: {rate: 0.01, repair: 5s, spared: 0}";
  CHECK_THAT(problem(keys, "3" + failures), Contains("workstation ws1 switches off") && Contains("stay on"));
  CHECK(problem(keys, "1" + failures) == "");
}

TEST_CASE("Parameters of a genetic algorithm that cannot be are refused in a sentence",
          "[workloads][genetic_algorithm][error]") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"crossover: 1.5", "crossover"}, {"mutation: -0.1", "mutation"}, {"mutation: 1.01", "mutation"},
      {"population: 0", "population"}, {"population: 1", "population"}, {"population: 2000000", "at most 1048576"},
      {"generations: 0", "generations"}, {"genes: 0", "genes"}, {"bits: 53", "bits must be at most 52; it is 53"},
      {"genes: 100000, bits: 16", "genes times bits must be at most 1048576"},
      {"population: 4, elite: 4", "elite must be less than the population, 4"},
      {"function: rosenbrock, genes: 1", "2 genes at least; genes is 1"}, {"function: ackley", "sphere"},
      {"evaluation: 0f", "evaluation must be more than 0"}, {"dispatcher: dynamic", "adaptive"},
      {"law: uniform, cv: 0.6", "0.577"}, {"law: normal, cv: 1", "less than 1"}, {"cv: 0.2", "cv"}};
  CHECK(problem("law: normal, cv: 0.2, elite: 0, dispatcher: static, selection: tournament") == "");
  for (const auto& [keys, says] : wrong) CHECK_THAT(problem(keys), Contains(says) && Contains("e.yaml:3"));
}

TEST_CASE("Genes are plain binary numbers, spread evenly from the lowest to the highest value",
          "[evolution]") {
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
