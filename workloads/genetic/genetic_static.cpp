// The parallel genetic algorithm of Cantu-Paz (BZ 5.1): each generation is dealt out in equal numbers beforehand.
//
// All messages are blocking. No deadlock: the server sends batches, and Shutdown, only when it has taken all results
// that clients had for it, so that they listen; then it takes results in the order in which they are offered.
#include <vector>

#include "workloads/genetic/genetic_search.hpp"
#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

using Individuals = std::vector<Assignment>;
using Results = std::vector<Evaluation>;

/// A generation's assignments by the clients that they are for: the population is cut into equal numbers of consecutive
/// individuals, whether they have to be evaluated or not (Cantu-Paz), so that a client may have nothing to do.
std::vector<Individuals> equal_batches(const Individuals& all, int population, int clients) {
  const std::vector<double> equal(index_of(clients), 1);
  std::vector<Individuals> batches;
  auto next = all.begin();
  std::int64_t end = 0;
  for (const auto number : whole_parts(population, equal)) {
    end += number;
    const auto first = next;
    while (next != all.end() && static_cast<std::int64_t>(next->individual) < end) ++next;
    batches.emplace_back(first, next);
  }
  return batches;
}

/// Deals a generation out, and takes its results.
Process evaluate_generation(Rank& self, const GeneticJob& job, GeneticSearch& search) {
  int client = 0, busy = 0;
  for (auto& batch : equal_batches(search.assignments(), job.evolution.population, self.count() - 1)) {
    ++client;
    if (batch.empty()) continue;
    ++busy;
    const double bytes = job.individual_bytes * static_cast<double>(batch.size());
    co_await self.send(client, bytes, std::move(batch));
  }
  for (; busy > 0; --busy) {
    const Message message = co_await self.receive_any();
    for (const auto& result : std::any_cast<const Results&>(message.content)) search.note(result);
  }
}

/// In each generation one message per client with its individuals (the first ones get the remainder, those without any
/// get nothing), then one with results from each; at last Shutdown to all.
Process serve_equal_numbers(Rank& self, const GeneticJob& job) {
  GeneticSearch search(job, self);
  co_await evaluate_generation(self, job, search);
  while (!search.is_last_generation()) {
    if (job.evolve_flop > 0) co_await self.compute(job.evolve_flop);
    search.evolve();
    co_await evaluate_generation(self, job, search);
  }
  search.end();
  for (int client = 1; client < self.count(); ++client) co_await self.send(client, job.signal_bytes, Signal::shutdown);
}

/// Batch by batch until Shutdown.
Process evaluate_batches(Rank& self, const GeneticJob& job) {
  while (true) {
    const Message message = co_await self.receive(0);
    if (std::any_cast<Signal>(&message.content) != nullptr) co_return;  // Shutdown: there is no other
    Results results;
    for (const auto& assigned : std::any_cast<const Individuals&>(message.content)) {
      co_await self.compute(assigned.cost_flop);
      results.push_back({assigned.individual, job.objective_of(assigned.genome)});
    }
    const double bytes = job.result_bytes * static_cast<double>(results.size());
    co_await self.send(0, bytes, std::move(results));
  }
}

/// Individuals, and their results; Shutdown.
double static_messages(const GeneticJob& job, int clients) { return 2 * busy_generations(job, clients) + clients; }

}  // namespace

Dispatcher static_dispatcher() { return {"static", serve_equal_numbers, evaluate_batches, static_messages}; }

}  // namespace nowsim
