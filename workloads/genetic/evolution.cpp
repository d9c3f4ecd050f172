// Generations that replace one another.
#include "workloads/genetic/evolution.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace nowsim {
namespace {

bool is_better(const Individual& a, const Individual& b) { return a.objective < b.objective; }

std::size_t any_of(std::size_t count, Stream& random) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
}

}  // namespace

Evolution::Evolution(const EvolutionParameters& parameters, Stream random) : p_(parameters), random_(random) {
  for (int i = 0; i < p_.population; ++i) population_.push_back({Genome::drawn(p_.shape.bits(), random_)});
}

std::vector<std::size_t> Evolution::unevaluated() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < population_.size(); ++i)
    if (!population_[i].is_evaluated) out.push_back(i);
  return out;
}

void Evolution::note(std::size_t individual, double objective) {
  population_.at(individual).objective = objective;
  population_.at(individual).is_evaluated = true;
}

double Evolution::best() const {
  const double now = std::min_element(population_.begin(), population_.end(), is_better)->objective;
  return elite_.empty() ? now : std::min(now, elite_.front().objective);
}

std::vector<Individual> Evolution::best_ones() const {
  std::vector<Individual> sorted = population_;
  std::stable_sort(sorted.begin(), sorted.end(), is_better);
  sorted.erase(sorted.begin() + p_.elite, sorted.end());
  return sorted;
}

void Evolution::bring_in_elite() {
  const Individual best = *std::min_element(population_.begin(), population_.end(), is_better);
  for (Individual& elder : elite_)
    if (is_better(elder, best)) *std::max_element(population_.begin(), population_.end(), is_better) = std::move(elder);
}

void Evolution::evolve() {
  assert(unevaluated().empty());
  bring_in_elite();
  elite_ = best_ones();
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
