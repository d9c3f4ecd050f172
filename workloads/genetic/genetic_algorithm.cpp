// A genetic algorithm whose individuals are evaluated by the clients of a server (BZ 5, 6).
#include <cmath>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "workloads/genetic/genetic_search.hpp"
#include "workloads/parts/cost_law.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {
namespace {

void check_that_it_stays(const RankShare& rank) {
  if (rank.count == 1 || !rank.host.extras->state_profile) return;
  throw InfeasibleError("workstation " + rank.host.name + " switches off, and what it has then is lost: this genetic "
                        "algorithm waits for every individual, so its machines have to stay on");
}

/// Its work is an upper bound of the mean of what is really evaluated.
class GeneticAlgorithm final : public Workload {
 public:
  GeneticAlgorithm(const GeneticJob& job, const Dispatcher& dispatcher)
      : Workload({.work_flop = job.evaluation_flop->mean() * job.evolution.population * job.generations,
                  .communicates = true,
                  .uses_shares = false,
                  .first_worker = 1,
                  .messages = [job, dispatcher](int ranks) {
                    return ranks > 1 ? dispatcher.messages(job, ranks - 1) : 0;
                  },
                  .check_share = check_that_it_stays}),
        job_(job), dispatcher_(dispatcher) {}

  Process run(Rank& self) const override { return search_with(self, job_, dispatcher_); }

 private:
  GeneticJob job_;
  Dispatcher dispatcher_;
};

const std::vector<std::string> kSelections{"roulette", "tournament"};  // as in Selection

constexpr int kMostBitsPerGene = 52;     ///< a gene's number is exact in a double
constexpr std::int64_t kMost = 1 << 20;  ///< individuals, generations, bits of a genome

/// A whole number within its bounds.
int read_count(KeyReader& read, const std::string& name) {
  const Bounds& bounds = read.row(name).bounds;
  const std::int64_t value = read.whole_within(name, {bounds.least});
  if (const auto most = static_cast<std::int64_t>(bounds.most); value > most)
    throw InputError(name + " must be at most " + std::to_string(most) + "; it is " + std::to_string(value));
  return static_cast<int>(value);
}

/// BZ 6.1 prints population, generations and both probabilities, and that GAlib was used, but no genome: ten genes of
/// 16 bits are nowsim's choice. An elite of one and roulette are GAlib's defaults.
EvolutionParameters read_evolution(KeyReader& read) {
  EvolutionParameters p;
  p.population = read_count(read, "population");
  p.crossover = read.value("crossover");
  p.mutation = read.value("mutation");
  p.shape.genes = read_count(read, "genes");
  p.shape.bits_per_gene = read_count(read, "bits");
  p.selection = static_cast<Selection>(read.word("selection"));
  p.elite = read_count(read, "elite");
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

std::shared_ptr<const Workload> read_genetic_algorithm(KeyReader& read) {
  GeneticJob job;
  job.evolution = read_evolution(read);
  job.generations = read_count(read, "generations");
  job.function = &benchmark_functions()[read.word("function")];
  if (const int genes = job.evolution.shape.genes; genes < job.function->least_genes)
    throw InputError("function: " + std::string(job.function->name) + " is of " +
                     std::to_string(job.function->least_genes) + " genes at least; genes is " + std::to_string(genes));
  job.evaluation_flop = read_cost_law(read, "evaluation", read.value_within("evaluation", {}));
  job.evolve_flop = read.value("evolve");
  job.signal_bytes = read.value("signal");
  job.individual_bytes = read.value_or("individual", std::ceil(job.evolution.shape.bits() / 8.0));
  job.result_bytes = read.value("result");
  const Dispatcher& dispatcher = dispatchers()[read.word("dispatcher")];
  return std::make_shared<GeneticAlgorithm>(job, dispatcher);
}

KeyTable genetic_keys() {
  constexpr double kMany = kMost;
  const auto functions = words_in(benchmark_functions()), ways = words_in(dispatchers());
  return {{"population", KeyType::count, "32", "individuals", {2, kMany}},
          {"generations", KeyType::count, "10", "of individuals, the first, drawn one among them", {1, kMany}},
          {"evaluation", KeyType::work, "1Gf", "mean work of evaluating an individual", kPositive},
          cost_law_key(),
          cv_key(),
          {"dispatcher", KeyType::word, ways.front(), "how individuals are handed out", {}, ways},
          {"crossover", KeyType::share, "0.9", "probability of a pair's crossover", {0, 1}},
          {"mutation", KeyType::share, "0.001", "probability of a bit's mutation", {0, 1}},
          {"function", KeyType::word, functions.front(), "what is minimised", {}, functions},
          {"genes", KeyType::count, "10", "of a genome", {1, kMany}},
          {"bits", KeyType::count, "16", "of a gene", {1, kMostBitsPerGene}},
          {"selection", KeyType::word, kSelections.front(), "of parents", {}, kSelections},
          {"elite", KeyType::count, "1", "the best so many stay, fewer than the population", {0, kMany}},
          {"signal", KeyType::bytes, "4B", "of a message that says no more than what is to be done"},
          {"individual", KeyType::bytes, "", "of a message with one; else the bytes of a genome"},
          {"result", KeyType::bytes, "8B", "of a message with an objective"},
          {"evolve", KeyType::work, "0", "of the server, for a new generation"}};
}

}  // namespace

WorkloadInfo genetic_algorithm() {
  return {"genetic-algorithm",
          "a server evolves a population whose individuals its clients evaluate, on request or dealt out (BZ 5)",
          genetic_keys(),
          read_genetic_algorithm};
}

}  // namespace nowsim
