// Generation after generation at drawn costs, evaluated by whoever searches alone or by a server's clients: one
// individual after another on request (the adaptive parallel genetic algorithm, BZ 5.2-5.4), or in equal numbers dealt
// out beforehand (Cantu-Paz, BZ 5.1).
//
// All messages are blocking. No deadlock: a server on request sends only to clients that wait for what it sends, namely
// those that have asked and those that sleep; and when it does not send or compute it takes whatever any client has for
// it. One of equal numbers sends batches, and Shutdown, only when it has taken all results that clients had for it, so
// that they listen; then it takes results in the order in which they are offered.
#include "workloads/genetic/genetic_search.hpp"

#include <algorithm>
#include <vector>

#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

/// BZ 5.3: messages that say something and carry nothing. In the order of a client's life.
enum class Signal { yes_work, work_request, no_work, work_end, shutdown };

/// An individual on its way to a client.
struct Assignment {
  std::size_t individual;
  double cost_flop;
  Genome genome;
};
using Individuals = std::vector<Assignment>;

/// And what comes back of it.
struct Evaluation {
  std::size_t individual;
  double objective;
};
using Results = std::vector<Evaluation>;

/// A search as whoever leads it sees it. It depends on the replication's streams alone, not on who evaluates what and
/// when: rank 0's copy of the common stream draws the evolution, its own stream a cost for each individual of each
/// generation, evaluated or not.
class GeneticSearch {
 public:
  GeneticSearch(const GeneticJob& job, const Rank& leader)
      : job_(job), evolution_(job.evolution, leader.common_random()), costs_(leader.random()) {}
  /// Generation after generation, each evaluated by evaluate(), a process that notes all; then tells the job's sink.
  template <class Evaluate>
  Process run(Rank& leader, Evaluate evaluate) {
    for (int generation = 1;; ++generation) {
      begin_generation();
      co_await evaluate();
      outcome_.best.push_back(evolution_.best());
      if (generation == job_.generations) break;
      if (job_.evolve_flop > 0) co_await leader.compute(job_.evolve_flop);
      evolution_.evolve();
    }
    if (job_.sink) job_.sink(outcome_);
  }
  /// Those of this generation that have to be evaluated, in order.
  [[nodiscard]] const Individuals& assignments() const { return assignments_; }
  void note(const Evaluation& evaluation) {
    evolution_.note(evaluation.individual, evaluation.objective);
    ++noted_;
  }
  /// Whether all of this generation are evaluated.
  [[nodiscard]] bool is_generation_over() const { return noted_ == assignments_.size(); }

 private:
  void begin_generation() {
    const auto& population = evolution_.population();
    assignments_.clear();
    noted_ = 0;
    for (std::size_t i = 0; i < population.size(); ++i) {
      const double cost_flop = job_.evaluation_flop->quantile(costs_.uniform());
      if (!population[i].is_evaluated) assignments_.push_back({i, cost_flop, population[i].genome});
    }
    outcome_.evaluations.push_back(assignments_.size());
  }

  const GeneticJob& job_;
  Evolution evolution_;
  Stream costs_;
  Individuals assignments_;
  std::size_t noted_ = 0;
  GeneticOutcome outcome_;
};

// ---- alone --------------------------------------------------------------------------------------------------------

Process evaluate_alone(Rank& self, const GeneticJob& job, GeneticSearch& search) {
  for (const auto& assigned : search.assignments()) {
    co_await self.compute(assigned.cost_flop);
    search.note({assigned.individual, job.objective_of(assigned.genome)});
  }
}

Process search_alone(Rank& self, const GeneticJob& job) {
  GeneticSearch search(job, self);
  co_await search.run(self, [&] { return evaluate_alone(self, job, search); });
}

// ---- on request ---------------------------------------------------------------------------------------------------

class AdaptiveServer {
 public:
  AdaptiveServer(Rank& self, const GeneticJob& job)
      : self_(self), job_(job), search_(job, self), sleeps_(index_of(self.count()), true) {}
  /// Where the coroutines below keep their frames.
  [[nodiscard]] FramePool* frames() const { return self_.frames(); }

  Process run() {
    co_await search_.run(self_, [this] { return evaluate_generation(); });
    while (awake_ > 0) co_await take_message();
    for (int client = 1; client < self_.count(); ++client) co_await signal(client, Signal::shutdown);
  }

 private:
  Process evaluate_generation() {
    handed_out_ = 0;
    if (search_.is_generation_over()) co_return;  // a generation without anything new wakes nobody
    for (int client = 1; client < self_.count(); ++client) {
      if (!sleeps_[index_of(client)]) continue;
      sleeps_[index_of(client)] = false;
      ++awake_;
      co_await signal(client, Signal::yes_work);
    }
    while (!search_.is_generation_over()) co_await take_message();
  }

  Process take_message() {
    const Message message = co_await self_.receive_any();
    if (std::any_cast<Signal>(message.content) == Signal::work_request) co_await answer(message.from);
    else {
      const Message result = co_await self_.receive(message.from);
      search_.note(std::any_cast<Evaluation>(result.content));
    }
  }

  Process answer(int client) {
    if (handed_out_ < search_.assignments().size()) {
      const Assignment& next = search_.assignments()[handed_out_++];
      co_await signal(client, Signal::yes_work);
      co_await self_.send(client, job_.individual_bytes, next);
    } else {
      sleeps_[index_of(client)] = true;
      --awake_;
      co_await signal(client, Signal::no_work);
    }
  }

  Process signal(int client, Signal what) { co_await self_.send(client, job_.signal_bytes, what); }

  Rank& self_;
  const GeneticJob& job_;
  GeneticSearch search_;
  std::size_t handed_out_ = 0;  ///< of this generation's assignments
  std::vector<bool> sleeps_;    ///< per rank
  int awake_ = 0;
};

/// YesWork to all, then answers; NoWork where none of the generation are left. When the last result of a generation is
/// in, the next evolves and those who sleep are woken by YesWork. After the last generation those still awake ask once
/// more and get NoWork, then all get Shutdown.
Process serve_adaptively(Rank& self, const GeneticJob& job) {
  AdaptiveServer server(self, job);
  co_await server.run();
}

/// Until NoWork.
Process work(Rank& self, const GeneticJob& job) {
  while (true) {
    co_await self.send(0, job.signal_bytes, Signal::work_request);
    const Message answer = co_await self.receive(0);
    if (std::any_cast<Signal>(answer.content) == Signal::no_work) co_return;
    const Message work = co_await self.receive(0);
    const auto& assigned = std::any_cast<const Assignment&>(work.content);
    co_await self.compute(assigned.cost_flop);
    co_await self.send(0, job.signal_bytes, Signal::work_end);
    co_await self.send(0, job.result_bytes, Evaluation{assigned.individual, job.objective_of(assigned.genome)});
  }
}

/// Asleep, waits for YesWork or Shutdown; awake, asks, evaluates and tells until NoWork.
Process evaluate_on_request(Rank& self, const GeneticJob& job) {
  while (true) {
    const Message message = co_await self.receive(0);
    if (std::any_cast<Signal>(message.content) == Signal::shutdown) co_return;
    co_await work(self, job);
  }
}

/// If nobody came through unchanged: generations in which a client has something to do, of all clients.
double busy_generations(const GeneticJob& job, int clients) {
  return static_cast<double>(std::min(clients, job.evolution.population)) * job.generations;
}

/// Request, YesWork, the individual, WorkEnd and the result; a YesWork that wakes, and the request that NoWork answers;
/// Shutdown.
double adaptive_messages(const GeneticJob& job, int clients) {
  const double evaluations = static_cast<double>(job.evolution.population) * job.generations;
  return 5 * evaluations + 3 * busy_generations(job, clients) + clients;
}

// ---- in equal numbers ---------------------------------------------------------------------------------------------

/// Deals a generation out, and takes its results. The population is cut into equal numbers of consecutive individuals,
/// whether they have to be evaluated or not (Cantu-Paz), so that a client may have nothing to do.
Process deal_out_generation(Rank& self, const GeneticJob& job, GeneticSearch& search) {
  const std::vector<double> equal(index_of(self.count() - 1), 1);
  auto next = search.assignments().begin();
  std::int64_t end = 0;
  int client = 0, busy = 0;
  for (const auto number : whole_parts(job.evolution.population, equal)) {
    ++client;
    end += number;
    Individuals batch;
    for (; next != search.assignments().end() && static_cast<std::int64_t>(next->individual) < end; ++next)
      batch.push_back(*next);
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
  co_await search.run(self, [&] { return deal_out_generation(self, job, search); });
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

constexpr Dispatcher kDispatchers[] = {{"adaptive", serve_adaptively, evaluate_on_request, adaptive_messages},
                                       {"static", serve_equal_numbers, evaluate_batches, static_messages}};

}  // namespace

std::span<const Dispatcher> dispatchers() { return kDispatchers; }

Process search_with(Rank& self, const GeneticJob& job, const Dispatcher& dispatcher) {
  if (self.count() == 1) return search_alone(self, job);
  return self.index() == 0 ? dispatcher.serve(self, job) : dispatcher.evaluate(self, job);
}

}  // namespace nowsim
