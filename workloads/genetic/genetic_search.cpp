// Evolution, costs, and the record of both; the list of dispatchers, and the search that needs none.
#include "workloads/genetic/genetic_search.hpp"

#include <algorithm>
#include <vector>

#include "sim/base/registry.hpp"

namespace nowsim {

GeneticSearch::GeneticSearch(const GeneticJob& job, const Rank& leader)
    : job_(job), evolution_(job.evolution, leader.common_random()), costs_(leader.random()) {
  begin_generation();
}

void GeneticSearch::begin_generation() {
  const auto& population = evolution_.population();
  assignments_.clear();
  noted_ = 0;
  for (std::size_t i = 0; i < population.size(); ++i) {
    const double cost_flop = job_.evaluation_flop->quantile(costs_.uniform());
    if (!population[i].is_evaluated) assignments_.push_back({i, cost_flop, population[i].genome});
  }
  outcome_.evaluations.push_back(assignments_.size());
}

void GeneticSearch::note(const Evaluation& evaluation) {
  evolution_.note(evaluation.individual, evaluation.objective);
  ++noted_;
}

void GeneticSearch::evolve() {
  outcome_.best.push_back(evolution_.best());
  evolution_.evolve();
  ++generation_;
  begin_generation();
}

void GeneticSearch::end() {
  outcome_.best.push_back(evolution_.best());
  if (job_.sink) job_.sink(outcome_);
}

using DispatcherMaker = Dispatcher();

// clang-format off
NOWSIM_LISTED(DispatcherMaker, kDispatchers,
              adaptive_dispatcher,
              static_dispatcher);
// clang-format on

namespace {

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

}  // namespace

std::span<const Dispatcher> dispatchers() {
  static const std::vector<Dispatcher> all = made(kDispatchers);
  return all;
}

Process search_with(Rank& self, const GeneticJob& job, const Dispatcher& dispatcher) {
  if (self.count() == 1) return search_alone(self, job);
  return self.index() == 0 ? dispatcher.serve(self, job) : dispatcher.evaluate(self, job);
}

double evaluations(const GeneticJob& job) { return static_cast<double>(job.evolution.population) * job.generations; }

double busy_generations(const GeneticJob& job, int clients) {
  return static_cast<double>(std::min(clients, job.evolution.population)) * job.generations;
}

}  // namespace nowsim
