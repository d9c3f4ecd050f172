// A genetic algorithm whose individuals are evaluated by the clients of a server (BZ 5, 6).
#include "workloads/genetic/genetic_algorithm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "workloads/genetic/genetic_adaptive.hpp"
#include "workloads/genetic/genetic_search.hpp"
#include "workloads/genetic/genetic_static.hpp"
#include "workloads/parts/cost_law.hpp"

namespace nowsim {
namespace {

/// If nobody came through unchanged.
double evaluations(const GeneticJob& job) { return static_cast<double>(job.evolution.population) * job.generations; }

/// Generations in which a client has something to do, of all clients.
double busy_generations(const GeneticJob& job, int clients) {
  return static_cast<double>(std::min(clients, job.evolution.population)) * job.generations;
}

/// Request, YesWork, the individual, WorkEnd and the result; a YesWork that wakes, and the request that NoWork answers;
/// Shutdown.
double adaptive_messages(const GeneticJob& job, int clients) {
  return 5 * evaluations(job) + 3 * busy_generations(job, clients) + clients;
}

/// Individuals, and their results; Shutdown.
double static_messages(const GeneticJob& job, int clients) { return 2 * busy_generations(job, clients) + clients; }

/// A way of handing individuals out: what the server and what a client does, and about how many messages it takes.
struct Protocol {
  const char* name;
  Process (*serve)(Rank& self, const GeneticJob& job);
  Process (*evaluate)(Rank& self, const GeneticJob& job);
  double (*messages)(const GeneticJob& job, int clients);
};
constexpr std::array<Protocol, 2> kProtocols{{{"adaptive", serve_adaptively, evaluate_on_request, adaptive_messages},
                                              {"static", serve_equal_numbers, evaluate_batches, static_messages}}};

/// The best serial version: no messages.
Process search_alone(Rank& self, const GeneticJob& job) {
  GeneticSearch search(job, self);
  while (true) {
    for (const auto& assigned : search.assignments()) {
      co_await self.compute(assigned.cost_flop);
      search.note({assigned.individual, job.objective_of(assigned.genome)});
    }
    if (search.is_last_generation()) break;
    if (job.evolve_flop > 0) co_await self.compute(job.evolve_flop);
    search.evolve();
  }
  search.end();
}

class GeneticAlgorithm final : public Workload {
 public:
  GeneticAlgorithm(const GeneticJob& job, const Protocol& protocol) : job_(job), protocol_(protocol) {}
  double work_flop() const override {
    return job_.evaluation_flop->mean() * job_.evolution.population * job_.generations;
  }
  bool communicates() const override { return true; }
  double messages(int ranks) const override { return ranks > 1 ? protocol_.messages(job_, ranks - 1) : 0; }
  bool uses_shares() const override { return false; }
  int first_worker() const override { return 1; }

  void check_share(const RankShare& rank) const override {
    if (rank.count == 1 || !rank.host.state_profile) return;
    throw InfeasibleError("workstation " + rank.host.name + " switches off, and what it has then is lost: this genetic "
                          "algorithm waits for every individual, so its machines have to stay on");
  }

  Process run(Rank& self) const override {
    if (self.count() == 1) return search_alone(self, job_);
    return self.index() == 0 ? protocol_.serve(self, job_) : protocol_.evaluate(self, job_);
  }

 private:
  GeneticJob job_;
  const Protocol& protocol_;
};

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& line : table) names.emplace_back(line.name);
  return names;
}

constexpr int kMostBitsPerGene = 52;     ///< a gene's number is exact in a double
constexpr std::int64_t kMost = 1 << 20;  ///< individuals, generations, bits of a genome

/// A whole number within bounds.
int count_up_to(ParameterReader& read, const std::string& name, int fallback, int least, std::int64_t most) {
  const std::int64_t value = read.count(name, fallback, least);
  if (value > most)
    throw InputError(name + " must be at most " + std::to_string(most) + "; it is " + std::to_string(value));
  return static_cast<int>(value);
}

/// BZ 6.1 prints population, generations and both probabilities, and that GAlib was used, but no genome: ten genes of
/// 16 bits are nowsim's choice. An elite of one and roulette are GAlib's defaults.
EvolutionParameters read_evolution(ParameterReader& read) {
  EvolutionParameters p;
  p.population = count_up_to(read, "population", p.population, 2, kMost);
  p.crossover = read.number("crossover", p.crossover, 0, 1);
  p.mutation = read.number("mutation", p.mutation, 0, 1);
  p.shape.genes = count_up_to(read, "genes", p.shape.genes, 1, kMost);
  p.shape.bits_per_gene = count_up_to(read, "bits", p.shape.bits_per_gene, 1, kMostBitsPerGene);
  p.selection = static_cast<Selection>(read.choice("selection", {"roulette", "tournament"}, 0));
  p.elite = count_up_to(read, "elite", p.elite, 0, kMost);
  if (std::int64_t{p.shape.genes} * p.shape.bits_per_gene > kMost)
    throw InputError("genes times bits must be at most " + std::to_string(kMost) + ", the bits of a genome; it is " +
                     std::to_string(p.shape.genes) + " times " + std::to_string(p.shape.bits_per_gene));
  // A generation, the next one, and as much on its way.
  if (const double bits = 3.0 * p.population * p.shape.bits(); bits > 1e9)
    require_memory(bits / 8, "a population of " + std::to_string(p.population) + " genomes");
  if (p.elite >= p.population)
    throw InputError("elite must be less than the population, " + std::to_string(p.population) +
                     ", or nobody is ever bred; it is " + std::to_string(p.elite));
  return p;
}

const BenchmarkFunction& read_function(ParameterReader& read, const GenomeShape& shape) {
  const auto& function = benchmark_functions()[read.choice("function", names_of(benchmark_functions()), 0)];
  if (shape.genes < function.least_genes)
    throw InputError("function: " + std::string(function.name) + " is of " + std::to_string(function.least_genes) +
                     " genes at least; genes is " + std::to_string(shape.genes));
  return function;
}

std::shared_ptr<const Workload> read_genetic_algorithm(ParameterReader& read) {
  GeneticJob job;
  job.evolution = read_evolution(read);
  job.generations = count_up_to(read, "generations", job.generations, 1, kMost);
  job.function = &read_function(read, job.evolution.shape);
  job.evaluation_flop = read_cost_law(read, "evaluation", read.work("evaluation", 1e9));
  job.evolve_flop = read.work("evolve", job.evolve_flop);
  job.signal_bytes = read.bytes("signal", job.signal_bytes);
  job.individual_bytes = read.bytes("individual", std::ceil(job.evolution.shape.bits() / 8.0));
  job.result_bytes = read.bytes("result", job.result_bytes);
  return make_genetic_algorithm(job, static_cast<Dispatcher>(read.choice("dispatcher", names_of(kProtocols), 0)));
}

}  // namespace

std::shared_ptr<const Workload> make_genetic_algorithm(const GeneticJob& job, Dispatcher dispatcher) {
  return std::make_shared<GeneticAlgorithm>(job, kProtocols.at(static_cast<std::size_t>(dispatcher)));
}

WorkloadInfo genetic_algorithm() {
  return {"genetic-algorithm",
          "a server evolves a population whose individuals its clients evaluate, on request or dealt out (BZ 5)",
          "population, generations, evaluation, law, cv, dispatcher, crossover, mutation, function, genes, bits, "
          "selection, elite, signal, individual, result, evolve",
          read_genetic_algorithm};
}

}  // namespace nowsim
