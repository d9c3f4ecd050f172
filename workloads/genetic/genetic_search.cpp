// Evolution, costs, and the record of both.
#include "workloads/genetic/genetic_search.hpp"

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

}  // namespace nowsim
